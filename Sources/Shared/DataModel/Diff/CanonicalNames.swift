extension Schema {
  /// The versions with every rename traced back to the oldest name, so that any two of them can be
  /// compared directly: version 1 to 3 finds what 1 to 2 and 2 to 3 find.
  ///
  /// A later version may name the first name or only the previous one as renaming identifier; both
  /// lead to the same chain.
  public static func carryingCanonicalNames(through versions: [Schema]) -> [Schema] {
    var carried: [Schema] = []
    for version in versions {
      carried.append(carried.last.map { version.carryingCanonicalNames(from: $0) } ?? version)
    }
    return carried
  }

  private func carryingCanonicalNames(from old: Schema) -> Schema {
    let matching = SchemaMatching(old, self)
    var entities: [Entity] = matching.entities.added
    for pair in matching.properties {
      var entity = pair.new
      entity.renamingIdentifier = identifier(pair.old, pair.new)
      entity.attributes = carried(pair.attributes)
      entity.relationships = carried(pair.relationships)
      entities.append(entity)
    }
    var copy = self
    copy.entities = entities
    return copy
  }

  private func carried<Part: Renamable>(_ matching: Matching<Part>) -> [Part] {
    matching.added
      + matching.pairs.map { pair in
        var part = pair.new
        part.renamingIdentifier = identifier(pair.old, pair.new)
        return part
      }
  }

  private func identifier(_ old: some Renamable, _ new: some Renamable) -> String? {
    old.canonicalName == new.name ? nil : old.canonicalName
  }
}
