/// Every difference between two versions of a schema, each exactly once, in a fixed order.
///
/// Renames are recognised by renaming identifiers, and references that follow a rename are no
/// differences. The parts of an added or removed entity are not listed one by one.
///
/// ```swift
/// for change in diff(shipped, current) { print(change) }
/// // LogEntry.landedAt: attribute renamed from arrival
/// ```
public func diff(_ old: Schema, _ new: Schema) -> [SchemaChange] {
  diff(old, new, SchemaMatching(old, new))
}

/// The same for a caller who has matched the parts already.
package func diff(_ old: Schema, _ new: Schema, _ matching: SchemaMatching) -> [SchemaChange] {
  let names = NewNames(matching)
  var changes = compare(.schema, Schema.aspects, old, new)
  changes += addedAndRemoved(matching.entities) { .entity($0.name) }
  for pair in matching.properties { changes += diff(pair, names, in: old) }
  changes += diffComposites(old.composites, new.composites)
  changes += diff(
    old.configurations.map { configuration in
      var copy = configuration
      copy.entities = configuration.entities.map(names.entity)
      return copy
    }, new.configurations, Schema.Configuration.aspects
  ) { .configuration($0) }
  changes += diff(
    old.fetchRequests.map { request in
      var copy = request
      copy.entity = names.entity(request.entity)
      return copy
    }, new.fetchRequests, Schema.FetchRequest.aspects
  ) { .fetchRequest($0) }
  return changes
}

private func diff(
  _ pair: SchemaMatching.EntityPair, _ names: NewNames, in oldSchema: Schema
) -> [SchemaChange] {
  let name = pair.new.name
  let old = pair.old.rewritten(names, in: oldSchema)
  var changes = renamed(.entity(name), pair.old, pair.new)
  changes += compare(.entity(name), Schema.Entity.aspects, old, pair.new)
  changes += diff(pair.attributes, Schema.Attribute.aspects, { $0 }) {
    .attribute(entity: name, name: $0)
  }
  changes += diff(
    pair.relationships, Schema.Relationship.aspects, { $0.rewritten(names, in: oldSchema) }
  ) { .relationship(entity: name, name: $0) }
  changes += diff(
    old.fetchedProperties, pair.new.fetchedProperties, Schema.FetchedProperty.aspects
  ) { .fetchedProperty(entity: name, name: $0) }
  changes += diff(old.indexes, pair.new.indexes, Schema.Index.aspects) {
    .index(entity: name, name: $0)
  }
  changes += diffUniqueness(name, old.uniquenessConstraints, pair.new.uniquenessConstraints)
  return changes
}

private func diffUniqueness(
  _ entity: String, _ old: [[String]], _ new: [[String]]
) -> [SchemaChange] {
  let (oldKeys, newKeys) = (Set(old), Set(new))
  let added = new.filter { !oldKeys.contains($0) }
  let removed = old.filter { !newKeys.contains($0) }
  return added.map { SchemaChange(.uniqueness(entity: entity, properties: $0), .added) }
    + removed.map { SchemaChange(.uniqueness(entity: entity, properties: $0), .removed) }
}

private func diffComposites(
  _ old: [Schema.Composite], _ new: [Schema.Composite]
) -> [SchemaChange] {
  let matching = Matching(byName: old, new)
  var changes = addedAndRemoved(matching) { .composite($0.name) }
  for pair in matching.pairs {
    let members = Matching(byIdentity: pair.old.attributes, pair.new.attributes)
    changes += diff(members, Schema.Attribute.aspects, { $0 }) {
      .member(composite: pair.new.name, name: $0)
    }
  }
  return changes
}

// MARK: The same comparison for every kind of part

/// Compares parts that are matched by name alone.
func diff<Part: Named>(
  _ old: [Part], _ new: [Part], _ aspects: [AspectRow<Part>],
  _ element: (String) -> SchemaElement
) -> [SchemaChange] {
  let matching = Matching(byName: old, new)
  return addedAndRemoved(matching) { element($0.name) }
    + matching.pairs.flatMap { compare(element($0.new.name), aspects, $0.old, $0.new) }
}

/// Compares parts that may have been renamed; `rewrite` gives an old part the new names.
private func diff<Part: Renamable>(
  _ matching: Matching<Part>, _ aspects: [AspectRow<Part>], _ rewrite: (Part) -> Part,
  _ element: (String) -> SchemaElement
) -> [SchemaChange] {
  addedAndRemoved(matching) { element($0.name) }
    + matching.pairs.flatMap { pair in
      renamed(element(pair.new.name), pair.old, pair.new)
        + compare(element(pair.new.name), aspects, rewrite(pair.old), pair.new)
    }
}

private func addedAndRemoved<Part: Sendable>(
  _ matching: Matching<Part>, _ element: (Part) -> SchemaElement
) -> [SchemaChange] {
  matching.added.map { SchemaChange(element($0), .added) }
    + matching.removed.map { SchemaChange(element($0), .removed) }
}

private func renamed<Part: Renamable>(
  _ element: SchemaElement, _ old: Part, _ new: Part
) -> [SchemaChange] {
  old.name == new.name ? [] : [SchemaChange(element, .renamed(from: old.name))]
}

func compare<Part>(
  _ element: SchemaElement, _ aspects: [AspectRow<Part>], _ old: Part, _ new: Part
) -> [SchemaChange] {
  aspects.compactMap { row in
    let (before, after) = (row.value(old), row.value(new))
    return before == after
      ? nil : SchemaChange(element, .changed(row.aspect, from: before, to: after))
  }
}
