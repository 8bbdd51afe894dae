import DataModel

extension Rule {
  static let assetTwinRemoved = Rule(
    "asset-twin-removed", .additive, .error, in: [.cloudkit],
    summary: "A field that has an asset twin for large values keeps it.",
    why: "values that made a record too large are in the twin, and apps write and read them there",
    fix: "put the asset field back beside the field that it belongs to",
    check: recordLevelChanges { change, pair in
      // A model always promises the twin; only a record file tells that production has it.
      guard change.kind == .removed, pair.old.schema == nil,
        case .field(let type, let name) = change.element,
        case .twin(let base) = pair.fate(of: change.element),
        pair.new.records.type(type)?.field(base) != nil
      else { return nil }
      return "was removed, but large values of \(base) are kept there"
    })
}
