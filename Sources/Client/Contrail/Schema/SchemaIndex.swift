import Foundation

extension Schema {
  /// Indexes of a model's properties; `#Index` makes one.
  ///
  /// Unchecked here and below: key paths are compared only, and nothing changes.
  public final class Index<Model: PersistentModel>: SchemaListing, @unchecked Sendable {
    /// How an index arranges values.
    public enum Types<Root: PersistentModel> {
      /// Sorted values.
      case binary([PartialKeyPath<Root>])
      /// Boxes, for values that are ranges or places; stores make an index of sorted values of them, too.
      case rtree([PartialKeyPath<Root>])
    }

    /// The indexes.
    public let indices: [Types<Model>]

    /// Lists sorted indexes.
    public init(_ indices: [PartialKeyPath<Model>]...) {
      self.indices = indices.map { .binary($0) }
    }

    /// Lists indexes.
    public init(_ indices: Types<Model>...) { self.indices = indices }

    var lists: [ListedPaths] {
      indices.map { index in
        switch index {
        case .binary(let paths): ListedPaths(kind: .index, paths: paths)
        case .rtree(let paths): ListedPaths(kind: .boxIndex, paths: paths)
        }
      }
    }
  }

  /// Sets of properties whose values no two models share; `#Unique` makes one.
  public final class Unique<Model: PersistentModel>: SchemaListing, @unchecked Sendable {
    /// The sets.
    public let constraints: [[PartialKeyPath<Model>]]

    /// Lists sets.
    public init(_ constraints: [PartialKeyPath<Model>]...) { self.constraints = constraints }

    var lists: [ListedPaths] { constraints.map { ListedPaths(kind: .unique, paths: $0) } }
  }
}

/// What `#Unique` and `#Index` give besides properties.
protocol SchemaListing: Sendable {
  var lists: [ListedPaths] { get }
}

/// Properties that are unique, or indexed, together.
struct ListedPaths {
  enum Kind {
    case unique
    case index
    case boxIndex
  }

  var kind: Kind
  var paths: [AnyKeyPath]
}
