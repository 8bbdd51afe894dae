import DataModel

/// Where the parts of a schema come from in an earlier version: entities, and for the objects of each
/// entity the stored properties, members of composites included.
struct Lineage {
  /// A stored property, by the entity that declares it and its name or path.
  struct Property: Hashable {
    var owner: String
    var path: String
  }

  /// The old name of each entity that both versions have, by its new one.
  private(set) var oldNames: [String: String] = [:]
  /// For objects of each new entity: what they had before in place of a property that they have now.
  private(set) var sources: [String: [Property: Property]] = [:]
  /// Properties that the same entity declares in both versions, by the new one.
  private(set) var direct: [Property: Property] = [:]

  init(_ old: Schema, _ new: Schema) {
    let matching = SchemaMatching(old, new)
    for pair in matching.entities.pairs { oldNames[pair.new.name] = pair.old.name }
    let attributes = PropertyFlow<Schema.Attribute>(
      old, new, matching, own: { $0.attributes }, pairs: { $0.attributes },
      element: { .attribute(entity: $0, name: $1) })
    let relationships = PropertyFlow<Schema.Relationship>(
      old, new, matching, own: { $0.relationships }, pairs: { $0.relationships },
      element: { .relationship(entity: $0, name: $1) })
    for pair in matching.properties { addDirect(pair, old, new) }
    for entity in new.entities where oldNames[entity.name] != nil {
      var found: [Property: Property] = [:]
      for owner in [entity] + new.ancestors(of: entity) {
        for attribute in owner.attributes {
          guard
            let source = attributes.source(
              of: .init(owner: owner.name, part: attribute), in: entity)
          else { continue }
          for leaf in Self.leaves(source.part, attribute, old, new) {
            found[Property(owner: owner.name, path: leaf.new)] = Property(
              owner: source.owner, path: leaf.old)
          }
        }
        for relationship in owner.relationships {
          guard
            let source = relationships.source(
              of: .init(owner: owner.name, part: relationship), in: entity)
          else { continue }
          found[Property(owner: owner.name, path: relationship.name)] = Property(
            owner: source.owner, path: source.part.name)
        }
      }
      sources[entity.name] = found
    }
  }

  private mutating func addDirect(
    _ pair: SchemaMatching.EntityPair, _ old: Schema, _ new: Schema
  ) {
    for match in pair.attributes.pairs {
      for leaf in Self.leaves(match.old, match.new, old, new) {
        direct[Property(owner: pair.new.name, path: leaf.new)] = Property(
          owner: pair.old.name, path: leaf.old)
      }
    }
    for match in pair.relationships.pairs {
      direct[Property(owner: pair.new.name, path: match.new.name)] = Property(
        owner: pair.old.name, path: match.old.name)
    }
  }

  /// The paths of an attribute's values in both versions; members are matched as attributes are.
  private static func leaves(
    _ before: Schema.Attribute, _ after: Schema.Attribute, _ old: Schema, _ new: Schema,
    depth: Int = 0
  ) -> [(old: String, new: String)] {
    let isComposite = before.type == .composite
    guard isComposite == (after.type == .composite) else { return [] }
    guard isComposite else { return [(before.name, after.name)] }
    guard depth < Schema.compositeDepthMax,
      let oldType = before.compositeName.flatMap({ old.composite($0) }),
      let newType = after.compositeName.flatMap({ new.composite($0) })
    else { return [] }
    return Matching(byIdentity: oldType.attributes, newType.attributes).pairs.flatMap { pair in
      leaves(pair.old, pair.new, old, new, depth: depth + 1).map {
        ("\(before.name).\($0.old)", "\(after.name).\($0.new)")
      }
    }
  }
}
