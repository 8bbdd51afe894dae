extension Schema {
  /// The entity of that name.
  public func entity(_ name: String) -> Entity? { entities.named(name) }

  /// The composite type of that name.
  public func composite(_ name: String) -> Composite? { composites.named(name) }

  /// The chain of parents of `entity`, nearest first; stops where a chain is broken or runs in a
  /// circle.
  public func ancestors(of entity: Entity) -> [Entity] {
    if entity.parent == nil { return [] }
    var chain: [Entity] = []
    var seen: Set<String> = [entity.name]
    var next = entity.parent
    while let name = next, seen.insert(name).inserted, let parent = self.entity(name) {
      chain.append(parent)
      next = parent.parent
    }
    return chain
  }

  /// The topmost ancestor of `entity`, or the entity itself.
  public func root(of entity: Entity) -> Entity { ancestors(of: entity).last ?? entity }

  /// The entities that inherit from the one named `name`, at any depth, sorted by name.
  public func descendants(of name: String) -> [Entity] {
    var found: Set<String> = [name]
    var grows = true
    // Each round finds the next generation; a circle of parents adds nothing twice.
    while grows {
      grows = false
      for entity in entities {
        guard let parent = entity.parent, found.contains(parent) else { continue }
        if found.insert(entity.name).inserted { grows = true }
      }
    }
    return found.count == 1 ? [] : entities.filter { $0.name != name && found.contains($0.name) }
  }

  /// The attributes of `entity`, inherited ones included, sorted by name.
  public func allAttributes(of entity: Entity) -> [Attribute] {
    let inherited = ancestors(of: entity).flatMap(\.attributes)
    return inherited.isEmpty
      ? entity.attributes : (entity.attributes + inherited).sortedByName()
  }

  /// The relationships of `entity`, inherited ones included, sorted by name.
  public func allRelationships(of entity: Entity) -> [Relationship] {
    let inherited = ancestors(of: entity).flatMap(\.relationships)
    return inherited.isEmpty
      ? entity.relationships : (entity.relationships + inherited).sortedByName()
  }

  /// The entity that declares the far end of `relationship`, and that end.
  public func inverse(of relationship: Relationship) -> (entity: Entity, end: Relationship)? {
    guard let name = relationship.inverse,
      let start = entity(relationship.inverseEntity ?? relationship.destination)
    else { return nil }
    for candidate in [start] + ancestors(of: start) {
      if let end = candidate.relationship(name) { return (candidate, end) }
    }
    return nil
  }

  /// Whether `relationship` and its inverse both hold several objects.
  public func isManyToMany(_ relationship: Relationship) -> Bool {
    relationship.isToMany && inverse(of: relationship)?.end.isToMany == true
  }
}

extension Schema.Entity {
  /// The entity's own attribute of that name.
  public func attribute(_ name: String) -> Schema.Attribute? { attributes.named(name) }

  /// The entity's own relationship of that name.
  public func relationship(_ name: String) -> Schema.Relationship? { relationships.named(name) }
}

extension Schema {
  /// The entities that mirroring looks at: those of the configurations that say so of themselves,
  /// and all where the model or none of its configurations does.
  package var mirroredEntityNames: Set<String> {
    let mirrored = configurations.filter(\.isUsedWithCloudKit)
    return isUsedWithCloudKit || mirrored.isEmpty
      ? Set(entities.map(\.name)) : Set(mirrored.flatMap(\.entities))
  }
}

/// Something that has a name; lists of such things are kept sorted by it.
package protocol Named: Sendable {
  var name: String { get }
}

extension Schema.Entity: Named {}
extension Schema.Attribute: Named {}
extension Schema.Relationship: Named {}
extension Schema.FetchedProperty: Named {}
extension Schema.Index: Named {}
extension Schema.Composite: Named {}
extension Schema.Configuration: Named {}
extension Schema.FetchRequest: Named {}

extension Array where Element: Named {
  /// Sorts by the bytes of the names.
  ///
  /// NB: not by `<`. With Swift 6.3, "e\u{301}" and "\u{e9}{" are neither less than each other nor
  /// equal, so that the order of a sorted list would depend on the order before.
  mutating func sortByName() { sort { $0.name.precedesInBytes($1.name) } }

  /// The elements sorted by the bytes of their names.
  func sortedByName() -> [Element] { sorted { $0.name.precedesInBytes($1.name) } }

  /// The element of that name, found by halving: the list must be sorted by name.
  package func named(_ name: String) -> Element? {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle].name.precedesInBytes(name) { low = middle + 1 } else { high = middle }
    }
    return low < endIndex && self[low].name == name ? self[low] : nil
  }
}

extension [String] {
  /// The order of lists of names: by the bytes of the first that differ, the shorter list first.
  package func precedesInBytes(_ other: [String]) -> Bool {
    lexicographicallyPrecedes(other) { $0.precedesInBytes($1) }
  }
}
