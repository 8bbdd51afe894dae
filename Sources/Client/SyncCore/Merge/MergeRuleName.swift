extension MergeRule {
  /// A rule that a schema may name for an attribute, under `userInfoKey`.
  public enum Name: String, CaseIterable, Codable, Sendable {
    /// The later edit wins, by the field's clocks.
    case lastEdit
    /// The server's edit wins.
    case server
    /// Ours wins.
    case client
    /// Both count: what either added to the common value is added to it.
    case counter
    /// The members of both sets: those of lists, or the lines of texts.
    case union
    /// The lesser value.
    case minimum
    /// The greater value.
    case maximum
  }

  /// The annotation of an attribute that names its rule.
  public static let userInfoKey = "contrail.merge"

  /// The rule of that name.
  public init(_ name: Name) {
    self =
      switch name {
      case .lastEdit: .lastEdit
      case .server: .server
      case .client: .client
      case .counter: .counter
      case .union: .union
      case .minimum: .minimum
      case .maximum: .maximum
      }
  }

  /// The rule of that name; nil for a name that has none.
  public init?(named name: String) {
    guard let name = Name(rawValue: name) else { return nil }
    self.init(name)
  }
}
