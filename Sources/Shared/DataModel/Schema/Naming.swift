/// A part of a schema that a later version may rename and still be recognised.
public protocol Renamable: Sendable {
  /// The name in this version.
  var name: String { get set }
  /// The name by which an earlier version knew it.
  var renamingIdentifier: String? { get set }
}

extension Renamable {
  /// The name that stays the same through renames: the identifier where there is one.
  ///
  /// A second rename keeps the identifier of the first, so that the oldest version is still
  /// recognised (WWDC22-10120 calls this the canonical name).
  public var canonicalName: String { renamingIdentifier ?? name }
}

extension Schema.Entity: Renamable {}
extension Schema.Attribute: Renamable {}
extension Schema.Relationship: Renamable {}
