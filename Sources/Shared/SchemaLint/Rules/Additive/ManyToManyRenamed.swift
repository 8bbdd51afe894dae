import DataModel

extension Rule {
  static let manyToManyRenamed = Rule(
    "many-to-many-renamed", .additive, .error,
    summary: "A many-to-many relationship and the entities at its ends keep their names.",
    why: "the records of its links carry these names, so that apps miss links that others made",
    fix: "keep the old name in the schema and rename the property of the class",
    check: relationshipPairs { pair, versions in
      guard let old = versions.old.schema, old.isManyToMany(pair.old),
        !pair.differs(\.isToMany)
      else { return nil }
      if pair.differs(\.name) {
        return (
          .renamingIdentifier, "was named \(pair.old.name), which the records of its links carry"
        )
      }
      // Only an abstract declaring entity is told here: of others `renamed` speaks.
      guard versions.newName(ofEntity: pair.oldEntity) == pair.newEntity,
        pair.oldEntity != pair.newEntity, old.entity(pair.oldEntity)?.isAbstract == true,
        old.entity(pair.oldEntity)?.parent != nil || versions.new.profile == .contrail
      else { return nil }
      return (nil, "was declared by \(pair.oldEntity), a name that the records of its links carry")
    })
}
