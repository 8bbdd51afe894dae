/// Which objects had a property before, and which have it now, whatever entity declares it.
///
/// Properties move up and down a hierarchy, and entities join and leave one; what counts for the data
/// is only whether the objects of a concrete entity keep what they had.
package struct PropertyFlow<Part: Renamable & Hashable> {
  /// A property with the entity that declares it.
  package struct Declared: Hashable {
    package var owner: String
    package var part: Part

    package init(owner: String, part: Part) {
      self.owner = owner
      self.part = part
    }
  }

  private let old: Schema
  private let new: Schema
  private let own: (Schema.Entity) -> [Part]
  let element: (_ entity: String, _ name: String) -> SchemaElement
  /// The old name of each entity that both schemas have, by its new one; and the other way round.
  private var oldNames: [String: String] = [:]
  private var newNames: [String: String] = [:]
  /// The new property that each old one became, and the other way round.
  private var successors: [Address: Address] = [:]
  private var oldParts: [SchemaElement: Part] = [:]
  private var predecessors: [Address: Address] = [:]

  private struct Address: Hashable {
    var owner: String
    var name: String
  }

  package init(
    _ old: Schema, _ new: Schema, _ matching: SchemaMatching,
    own: @escaping (Schema.Entity) -> [Part],
    pairs: (SchemaMatching.EntityPair) -> Matching<Part>,
    element: @escaping (String, String) -> SchemaElement
  ) {
    self.old = old
    self.new = new
    self.own = own
    self.element = element
    for pair in matching.properties {
      oldNames[pair.new.name] = pair.old.name
      newNames[pair.old.name] = pair.new.name
      for gone in pairs(pair).removed { oldParts[element(pair.new.name, gone.name)] = gone }
      for match in pairs(pair).pairs {
        let before = Address(owner: pair.old.name, name: match.old.name)
        let after = Address(owner: pair.new.name, name: match.new.name)
        successors[before] = after
        predecessors[after] = before
        oldParts[element(pair.new.name, match.new.name)] = match.old
      }
    }
  }

  /// The old property behind an address in the new schema; of one that is gone, by its old name.
  func old(_ element: SchemaElement) -> Part? { oldParts[element] }

  /// Entities of both schemas that have objects and are the one named `name`, or inherit from it, in
  /// the new schema; by their new names.
  func newHolders(_ name: String) -> [Schema.Entity] {
    holders(name, in: new).filter { oldNames[$0.name] != nil }
  }

  /// The same for an entity of the old schema, by old names.
  func oldHolders(_ name: String) -> [Schema.Entity] {
    holders(name, in: old).filter { newNames[$0.name] != nil }
  }

  private func holders(_ name: String, in schema: Schema) -> [Schema.Entity] {
    let entity = schema.entity(name).map { [$0] } ?? []
    return (entity + schema.descendants(of: name)).filter { !$0.isAbstract }
  }

  /// What objects of `entity` had before in place of a property that they have now.
  package func source(of property: Declared, in entity: Schema.Entity) -> Declared? {
    guard let before = oldNames[entity.name].flatMap(old.entity) else { return nil }
    let had = declared(by: before, in: old)
    let has = Set(declared(by: entity, in: new).map(address))
    if let pair = predecessors[address(property)] {
      if let kept = had.first(where: { address($0) == pair }) { return kept }
    }
    return had.first { candidate in
      isSame(candidate.part, property.part)
        && (successors[address(candidate)].map { !has.contains($0) } ?? true)
    }
  }

  /// What objects of `entity`, by its old name, have now in place of a property that they had.
  package func target(of property: Declared, in entity: Schema.Entity) -> Declared? {
    guard let after = newNames[entity.name].flatMap(new.entity) else { return nil }
    let has = declared(by: after, in: new)
    let had = Set(declared(by: entity, in: old).map(address))
    if let pair = successors[address(property)] {
      if let kept = has.first(where: { address($0) == pair }) { return kept }
    }
    return has.first { candidate in
      isSame(property.part, candidate.part)
        && (predecessors[address(candidate)].map { !had.contains($0) } ?? true)
    }
  }

  /// The properties that objects of `entity` inherit in the new schema, but for those that an entity
  /// of both schemas gained: those are changes of their own.
  func inherited(by entity: Schema.Entity) -> [Declared] {
    new.ancestors(of: entity).flatMap { ancestor in
      own(ancestor).map { Declared(owner: ancestor.name, part: $0) }
    }
    .filter { oldNames[$0.owner] == nil || predecessors[address($0)] != nil }
  }

  /// The properties that objects of `entity` inherited in the old schema, but for those that an entity
  /// of both schemas lost.
  func wereInherited(by entity: Schema.Entity) -> [Declared] {
    old.ancestors(of: entity).flatMap { ancestor in
      own(ancestor).map { Declared(owner: ancestor.name, part: $0) }
    }
    .filter { newNames[$0.owner] == nil || successors[address($0)] != nil }
  }

  func oldName(of entity: String) -> String? { oldNames[entity] }

  private func declared(by entity: Schema.Entity, in schema: Schema) -> [Declared] {
    ([entity] + schema.ancestors(of: entity)).flatMap { owner in
      own(owner).map { Declared(owner: owner.name, part: $0) }
    }
  }

  private func address(_ property: Declared) -> Address {
    Address(owner: property.owner, name: property.part.name)
  }

  private func isSame(_ before: Part, _ after: Part) -> Bool {
    before.canonicalName == after.canonicalName || before.name == after.name
      || after.renamingIdentifier == before.name
  }
}
