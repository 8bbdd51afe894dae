/// Makes an actor one that works on models, with a context of its own.
///
/// ```swift
/// @ModelActor actor Importer {
///   func add(_ names: [String]) throws {
///     for name in names { modelContext.insert(Trip(name: name)) }
///     try modelContext.save()
///   }
/// }
///
/// try await Importer(modelContainer: container).add(names)
/// ```
///
/// The macro writes the initializer, unless the actor has one with the same parameter. Models do not leave
/// the actor; their `persistentModelID` does.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "ModelMacros", type: "ModelActorMacro")
