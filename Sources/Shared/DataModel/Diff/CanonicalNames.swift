extension Schema {
  /// The versions with every rename traced back to the oldest name, so that any two of them can be
  /// compared directly: version 1 to 3 finds what 1 to 2 and 2 to 3 find.
  ///
  /// A later version may name the first name or only the previous one as renaming identifier; both
  /// lead to the same chain.
  public static func carryingCanonicalNames(through versions: [Schema]) -> [Schema] {
    var carried: [Schema] = []
    for (index, version) in versions.enumerated() {
      guard let last = carried.last else {
        carried.append(version)
        continue
      }
      carried.append(version.carryingCanonicalNames(of: last, from: versions[index - 1]))
    }
    return carried
  }

  /// Parts are matched with `old` as it was written: an identifier that is no earlier name, but a
  /// token that several versions share, would be lost if the canonical names stood in its place.
  private func carryingCanonicalNames(of carried: Schema, from old: Schema) -> Schema {
    let matching = SchemaMatching(old, self)
    var entities: [Entity] = matching.entities.added
    for pair in matching.properties {
      let before = carried.entity(pair.old.name) ?? pair.old
      var entity = pair.new
      entity.renamingIdentifier = identifier(before, pair.new)
      entity.attributes = parts(pair.attributes, before.attributes)
      entity.relationships = parts(pair.relationships, before.relationships)
      entities.append(entity)
    }
    var copy = self
    copy.entities = entities
    copy.composites = composites(carried.composites, from: old.composites)
    return copy
  }

  /// Composite types have no renaming identifier, so that a name is all that joins them.
  private func composites(_ carried: [Composite], from old: [Composite]) -> [Composite] {
    let matching = Matching(byName: old, composites)
    return matching.added
      + matching.pairs.map { pair in
        let before = carried.named(pair.old.name) ?? pair.old
        var composite = pair.new
        composite.attributes = parts(
          Matching(byIdentity: pair.old.attributes, pair.new.attributes), before.attributes)
        return composite
      }
  }

  private func parts<Part: Renamable & Named>(
    _ matching: Matching<Part>, _ carried: [Part]
  ) -> [Part] {
    matching.added
      + matching.pairs.map { pair in
        var part = pair.new
        part.renamingIdentifier = identifier(carried.named(pair.old.name) ?? pair.old, pair.new)
        return part
      }
  }

  private func identifier(_ old: some Renamable, _ new: some Renamable) -> String? {
    old.canonicalName == new.name ? nil : old.canonicalName
  }
}
