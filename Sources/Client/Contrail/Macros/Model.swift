/// Makes a class one whose objects a store keeps.
///
/// ```swift
/// @Model final class Trip {
///   @Attribute(.unique) var name: String
///   var start: Date
///   @Relationship(deleteRule: .cascade, inverse: \Item.trip) var items: [Item] = []
///
///   init(name: String, start: Date) {
///     self.name = name
///     self.start = start
///   }
/// }
/// ```
///
/// Every stored `var` is kept, unless it is marked with `@Transient`. The class is a `PersistentModel`, and
/// it can be observed. A class whose superclass is a model is a model of its own, with the properties of
/// both.
@attached(
  member, conformances: PersistentModel, Hashable, Sendable,
  names: named(_$model), named(_$started), named(_$start), named(_$giveStart), named(init),
  named(schemaMetadata),
  named(_$plan), named(_$ownPlan), named(_$setDefaults), named(_$setOwnDefaults),
  named(_$ownMetadata), named(_$visit), named(_$firstRank),
  named(_$rankCount))
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel, Hashable, Sendable)
public macro Model() = #externalMacro(module: "ModelMacros", type: "ModelMacro")

/// Reads and writes a property of a model; `@Model` writes it.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_$has_))
public macro _PersistedProperty(_ rank: Int) =
  #externalMacro(module: "ModelMacros", type: "PersistedPropertyMacro")

/// Sets a property of a model in an initializer; `@Model` writes it.
@attached(accessor, names: named(init), named(get))
public macro _PersistedInitialValue(_ rank: Int) =
  #externalMacro(module: "ModelMacros", type: "PersistedInitialValueMacro")

/// Makes the object in an initializer, or gives it its first values; `@Model` writes it.
@attached(body)
public macro _PersistedStart() =
  #externalMacro(module: "ModelMacros", type: "PersistedStartMacro")
