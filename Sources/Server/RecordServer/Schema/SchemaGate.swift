import DataModel
import SchemaFormats
import SchemaLint

/// Which rules of the lint stand at which gate.
enum SchemaGate {
  /// At an import: what no server takes, and what would lose data of production.
  static let importRules = Rule.all.filter {
    $0.category == .validator || losing.contains($0.id)
  }

  /// Rules about what production would lose.
  ///
  /// Indexes, grants and roles are no data: development may drop them, and production keeps them.
  private static let losing: Set<String> = [
    "type-removed", "field-removed", "asset-twin-removed", "name-reused", "type-changed",
    "list-changed", "encryption-changed", "preferred-number-changed",
  ]

  /// Rules that somebody may pass over on purpose: what servers accept, and what hurts later.
  static let acceptable = Set(Rule.all.filter { $0.category == .pitfall }.map(\.id))

  static func findings(
    in document: SchemaDocument, against promoted: RecordSchema?, rules: [Rule]
  ) -> [Finding] {
    Linter(profile: .contrail, table: rules).findings(
      in: document, promoted: promoted.map { [Self.document(of: $0, label: "production")] } ?? [])
  }

  /// A schema as if it had been read from a file.
  static func document(of schema: RecordSchema, label: String) -> SchemaDocument {
    SchemaDocument(file: label, label: label, content: .records(schema))
  }
}

extension SchemaRefusal {
  /// A finding as a reason to refuse.
  init(_ finding: Finding) {
    self.init(
      Code(rawValue: finding.rule), finding.element, finding.message, fix: finding.fix,
      place: finding.location.description)
  }
}

extension [SchemaRefusal] {
  /// Adds reasons about parts that no reason speaks of yet, neither of them nor of what they are
  /// part of.
  mutating func add(_ others: [SchemaRefusal]) {
    let known = Set(map(\.subject))
    self += others.filter { other in
      !known.contains(other.subject) && other.subject.owner.map(known.contains) != true
    }
  }
}
