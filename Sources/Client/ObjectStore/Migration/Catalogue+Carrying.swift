import DataModel

extension Catalogue {
  /// The catalogue of `new` in a store that had `old`, whose catalogue this is.
  ///
  /// Places are those of a store made anew. Numbers are kept by whatever is the same part, also one that
  /// was renamed or moved within its hierarchy; what is gone keeps its number and its name, without a
  /// place, so that history can still name it.
  func carried(to new: Schema, _ lineage: Lineage) -> Catalogue {
    let fresh = Catalogue().extended(for: new)
    var result = Catalogue()
    var entityNumbers: [Int: Int] = [:]
    var next = nextEntityNumber
    for entity in fresh.entities {
      let kept = lineage.oldNames[entity.name].flatMap { self.entity($0)?.number }
      var copy = entity
      copy.number = kept ?? next
      if kept == nil { next += 1 }
      entityNumbers[entity.number] = copy.number
      result.entities.append(copy)
    }
    let names = Dictionary(
      fresh.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    let numbers = propertyNumbers(
      fresh.properties.map { Lineage.Property(owner: names[$0.entity] ?? "", path: $0.name) },
      new, lineage)
    for (property, number) in zip(fresh.properties, numbers) {
      var copy = property
      copy.number = number
      copy.entity = entityNumbers[property.entity] ?? property.entity
      result.properties.append(copy)
    }
    result.addDead(from: self)
    return result
  }

  /// The numbers of new properties: of what they were, each old number once, or new ones.
  private func propertyNumbers(
    _ properties: [Lineage.Property], _ new: Schema, _ lineage: Lineage
  ) -> [Int] {
    var claimed: Set<Int> = []
    var result = properties.map { property -> Int? in
      guard let old = lineage.direct[property], let number = number(old) else { return nil }
      return claimed.insert(number).inserted ? number : nil
    }
    var next = nextPropertyNumber
    for (index, property) in properties.enumerated() where result[index] == nil {
      let holders = [property.owner] + new.descendants(of: property.owner).map(\.name)
      let moved = holders.lazy.compactMap { lineage.sources[$0]?[property] }
        .compactMap(number).first { !claimed.contains($0) }
      result[index] = moved ?? next
      if let moved { claimed.insert(moved) } else { next += 1 }
    }
    return result.map { $0 ?? 0 }
  }

  /// The number of a live property by the names of its entity and itself.
  func number(_ property: Lineage.Property) -> Int? {
    entity(property.owner).flatMap { self.property(property.path, of: $0.number)?.number }
  }

  private mutating func addDead(from old: Catalogue) {
    let liveEntities = Set(entities.map(\.number))
    let liveProperties = Set(properties.map(\.number))
    for entity in old.entities where !liveEntities.contains(entity.number) {
      var copy = entity
      copy.isLive = false
      copy.table = ""
      entities.append(copy)
    }
    for property in old.properties where !liveProperties.contains(property.number) {
      var copy = property
      copy.isLive = false
      copy.place = ""
      copy.order = ""
      properties.append(copy)
    }
    entities.sort { $0.number < $1.number }
    properties.sort { $0.number < $1.number }
  }
}
