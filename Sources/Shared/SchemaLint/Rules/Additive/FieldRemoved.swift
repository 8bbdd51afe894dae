import DataModel

extension Rule {
  static let fieldRemoved = Rule(
    "field-removed", .additive, .error,
    summary: "A field that production has stays in the schema.",
    why: "apps of the promoted version go on reading and writing it",
    fix: "keep the attribute and go on writing it, or waive the finding with a reason",
    check: recordChanges { change, pair in
      guard change.kind == .removed, case .field(let type, _) = change.element,
        pair.new.records.type(type) != nil, !pair.keepsProperty(behind: change.element)
      else { return nil }
      return "was removed, but production keeps the field for ever"
    })
}

extension LintPair {
  /// Whether the property behind an old field lives on under another name or in another shape: the
  /// rules on renames and cardinality speak of that.
  func keepsProperty(behind field: SchemaElement) -> Bool {
    guard let matching else { return false }
    let written = old.written(field)
    return matching.properties.contains { pair in
      pair.attributes.pairs.contains {
        .attribute(entity: pair.old.name, name: $0.old.name) == written
      }
        || pair.relationships.pairs.contains {
          .relationship(entity: pair.old.name, name: $0.old.name) == written
        }
    }
  }
}
