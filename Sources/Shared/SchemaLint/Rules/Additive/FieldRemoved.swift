import DataModel

extension Rule {
  /// Also speaks of what is dropped locally while older apps still read it: a lightweight migration
  /// changes the local file only (WWDC22-10120).
  static let fieldRemoved = Rule(
    "field-removed", .additive, .error,
    summary: "A field that production has stays in the schema and in the records.",
    why: "apps of the promoted version go on reading and writing it",
    fix: "keep the property and go on writing it",
    check: either(
      versions { pair in
        (pair.evolution?.lost ?? []).filter { pair.isLossOfItsOwn($0) }.map { loss in
          let message = "\(loss.element) \(loss.verb), but production keeps the field for ever"
          return Offence(loss.element, loss.reason == .unmirrored ? .isTransient : nil, message)
        }
      },
      recordLevelChanges { change, pair in
        guard case .field(_, let name) = change.element, change.kind == .removed,
          !name.hasPrefix("___")
        else { return nil }
        switch pair.fate(of: change.element) {
        case .gone: return "was removed, but production keeps the field for ever"
        case .transient: return "is transient now, but production keeps the field for ever"
        default: return nil
        }
      }))
}

extension PropertyLoss {
  fileprivate var verb: String {
    switch reason {
    case .removed: "was removed"
    case .unmirrored: "was stored and is transient or derived now"
    case .notInherited: "was inherited and is no longer"
    }
  }
}

extension LintPair {
  /// Whether no other rule speaks of what led to the loss.
  fileprivate func isLossOfItsOwn(_ loss: PropertyLoss) -> Bool {
    guard let schema = old.schema, old.isInRecords(loss.old),
      !isLostWithItsParent(loss, in: schema), !isVersionFieldGiven(up: loss, in: schema)
    else { return false }
    guard case .relationship(let relationship) = loss.old else { return true }
    if isRemoved(entity: relationship.destination) { return false }
    return !isSpokenForByInverse(relationship, at: loss, in: schema)
  }

  /// `type-removed` and `root-entity-changed` speak of the parent.
  private func isLostWithItsParent(_ loss: PropertyLoss, in schema: Schema) -> Bool {
    guard loss.reason == .notInherited, let owner = loss.element.ownerName else { return false }
    return (isRemoved(entity: loss.oldEntity) && schema.entity(loss.oldEntity)?.isAbstract == false)
      || (new.profile == .cloudkit && hasOtherRoot(owner))
  }

  /// `version-field-removed` speaks of a version field that is named no longer.
  private func isVersionFieldGiven(up loss: PropertyLoss, in schema: Schema) -> Bool {
    let now = loss.element.ownerName.flatMap { new.schema?.entity($0)?.versionField }
    return schema.entity(loss.oldEntity)?.versionField == loss.old.name && now != loss.old.name
  }

  /// Two ends of one relationship that go together are one loss, told at the first end that records
  /// hold.
  private func isSpokenForByInverse(
    _ relationship: Schema.Relationship, at loss: PropertyLoss, in schema: Schema
  ) -> Bool {
    guard let (entity, end) = schema.inverse(of: relationship), old.isInRecords(end) else {
      return false
    }
    let there = PropertyAddress(entity: entity.name, name: end.name)
    let here = PropertyAddress(entity: loss.oldEntity, name: relationship.name)
    let isInverseLost = evolution?.lost.contains {
      $0.oldEntity == there.entity && $0.old.name == there.name
    }
    return there < here && isInverseLost == true
  }
}
