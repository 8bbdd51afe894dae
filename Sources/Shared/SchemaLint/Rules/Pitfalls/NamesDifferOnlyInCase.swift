import DataModel

extension Rule {
  static let namesDifferOnlyInCase = Rule(
    "names-differ-only-in-case", .pitfall, [.cloudkit: .warning, .contrail: .error],
    summary: "No two entities, and no two properties of one, differ in upper and lower case only.",
    why: "SQLite takes such names as the same table or column",
    fix: "rename one of them",
    check: { pass in
      guard let schema = pass.subject.schema else { return [] }
      let entities = schema.entities.map { ($0.name, SchemaElement.entity($0.name)) }
      let properties = schema.entities.flatMap { entity in
        clashes(
          of: entity.properties, with: schema.ancestors(of: entity).flatMap(\.properties))
      }
      return clashes(of: entities, with: []) + properties
    })

  private typealias Part = (name: String, element: SchemaElement)

  private static func clashes(of parts: [Part], with others: [Part]) -> [Offence] {
    var names: [String: String] = [:]
    for other in others { names[other.name.asciiLowercased] = other.name }
    return parts.compactMap { name, element in
      guard let taken = names.updateValue(name, forKey: name.asciiLowercased), taken != name else {
        return nil
      }
      return Offence(element, .name, "\(element) differs from \(taken) in case only")
    }
  }
}

extension String {
  /// SQLite folds the case of ASCII letters only.
  fileprivate var asciiLowercased: String {
    String(
      decoding: utf8.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }, as: UTF8.self)
  }
}
