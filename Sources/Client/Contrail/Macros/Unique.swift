/// Says which properties no two objects of a model have alike.
///
/// ```swift
/// @Model final class Trip {
///   #Unique<Trip>([\.name], [\.start, \.destination])
///   …
/// }
/// ```
///
/// Each array is one constraint, of attributes and of relationships to one object. When an object is saved
/// that is alike, the one in the store takes its values.
@freestanding(declaration)
public macro Unique<T>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "ModelMacros", type: "UniqueMacro") where T: PersistentModel
