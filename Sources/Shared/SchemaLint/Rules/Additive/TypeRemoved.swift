import DataModel

extension Rule {
  static let typeRemoved = Rule(
    "type-removed", .additive, .error,
    summary: "A kind of record that production has stays in the schema.",
    why:
      "apps of the promoted version go on writing such records, and production never drops a type",
    fix: "put the entity or record type back, even if new code leaves it alone",
    check: either(
      versions { pair in
        guard let old = pair.old.schema else { return [] }
        return pair.objectChanges.compactMap { change in
          // An abstract entity has no objects; what its children lose has findings of its own.
          guard case .entity(let name) = change.element, change.kind == .removed,
            old.entity(name)?.isAbstract == false
          else { return nil }
          let verb = pair.new.schema?.entity(name) == nil ? "was removed" : "is mirrored no longer"
          return Offence(
            change.element, nil, "\(name) \(verb), but production keeps it for ever")
        }
      },
      recordLevelChanges { change, pair in
        guard case .recordType = change.element, change.kind == .removed,
          pair.fate(of: change.element) == .gone
        else { return nil }
        return "was removed, but production keeps it for ever"
      }))
}
