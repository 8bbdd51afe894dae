import DataModel

extension Rule {
  static let rootEntityChanged = Rule(
    "root-entity-changed", .additive, .error, in: [.cloudkit],
    summary: "An entity stays under the same root entity, which names its record type.",
    why: "new objects become records of another type, which older apps do not look for",
    fix: "put the entity back under its old root, or make a new entity beside it",
    check: either(
      entityChanges(.parent) { entity, pair in
        guard pair.hasOtherRoot(entity.new.name), !pair.isParentRemovalReported(entity.old),
          let before = pair.old.schema, let after = pair.new.schema
        else { return nil }
        return moved("CD_\(before.root(of: entity.old).name)", after.root(of: entity.new))
      },
      recordLevelChanges { change, pair in
        guard case .recordType(let type) = change.element, change.kind == .removed,
          case .moved(.entity(let name)) = pair.fate(of: change.element),
          let schema = pair.new.schema, let entity = schema.entity(name)
        else { return nil }
        return moved(type, schema.root(of: entity))
      }))

  private static func moved(_ type: String, _ root: Schema.Entity) -> String {
    "was stored in records of type \(type) and is stored in CD_\(root.name)"
  }
}

extension LintPair {
  /// Whether the entity's root is another one than before; a renamed root is the same.
  func hasOtherRoot(_ name: String) -> Bool {
    guard let before = old.schema, let after = new.schema, let entity = after.entity(name),
      let match = matching?.pair(ofNew: name)
    else { return false }
    return newName(ofEntity: before.root(of: match.old).name) != after.root(of: entity).name
  }

  /// `type-removed` speaks of a parent that had objects and is gone.
  fileprivate func isParentRemovalReported(_ entity: Schema.Entity) -> Bool {
    guard let parent = entity.parent else { return false }
    return isRemoved(entity: parent) && old.schema?.entity(parent)?.isAbstract == false
  }
}
