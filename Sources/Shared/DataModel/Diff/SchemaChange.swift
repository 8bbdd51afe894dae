/// One difference between two schemas.
///
/// The list of these is what lint, migration planner, impact report and promotion gate all read. A
/// change refers to the part by its name in the *new* schema, or in the old one where the new has it
/// no longer.
public struct SchemaChange: Hashable, Sendable {
  /// The part that differs.
  public var element: SchemaElement
  /// How it differs.
  public var kind: Kind

  /// How a part differs.
  public enum Kind: Hashable, Sendable {
    /// The new schema has it, the old one has not.
    case added
    /// The old schema has it, the new one has not.
    case removed
    /// The old schema has it under another name.
    case renamed(from: String)
    /// One of its features differs.
    case changed(Aspect, from: AspectValue, to: AspectValue)
  }

  /// Says that `element` differs by `kind`.
  public init(_ element: SchemaElement, _ kind: Kind) {
    self.element = element
    self.kind = kind
  }
}

extension SchemaChange {
  /// The feature that differs, where the part itself is neither added, removed nor renamed.
  public var aspect: Aspect? {
    if case .changed(let aspect, _, _) = kind { aspect } else { nil }
  }
}

extension SchemaChange: CustomStringConvertible {
  /// The change as one line.
  public var description: String {
    switch kind {
    case .added: "\(element): \(element.kindName) added"
    case .removed: "\(element): \(element.kindName) removed"
    case .renamed(let old): "\(element): \(element.kindName) renamed from \(old)"
    case .changed(let aspect, let old, let new): "\(element): \(aspect.words) \(old) → \(new)"
    }
  }
}
