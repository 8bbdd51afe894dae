/// Says which properties of a model are indexed, so that fetches that filter and sort by them are quick.
///
/// ```swift
/// @Model final class Trip {
///   #Index<Trip>([\.name], [\.start, \.destination])
///   …
/// }
/// ```
///
/// Each array is one index.
@freestanding(declaration)
public macro Index<T>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "ModelMacros", type: "IndexMacro") where T: PersistentModel

/// Says which properties of a model are indexed, and in which way.
///
/// ```swift
/// #Index<Place>(.binary([\.name]), .rtree([\.latitude, \.longitude]))
/// ```
///
/// A store sorts the values in either way: `.rtree` is taken so that code for SwiftData compiles.
@freestanding(declaration)
public macro Index<T>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "ModelMacros", type: "IndexMacro") where T: PersistentModel
