/// The hash that decides whether a store fits an entity, 32 bytes.
///
/// What counts follows Core Data: name, parent, abstractness and stored properties, each with its
/// name, optionality, type or far end, counts, delete rule and hash modifier. Defaults, validation,
/// indexes, class names, annotations, renaming identifiers and transient properties do not count.
public struct VersionHash: Hashable, Sendable, CustomStringConvertible {
  /// The digest.
  public let bytes: [UInt8]

  fileprivate init(_ encoder: HashEncoder) { bytes = encoder.digest() }

  /// The digest in hexadecimal.
  public var description: String { bytes.hexadecimal }
}

extension Schema {
  /// The hash of each entity, by name.
  public var entityHashes: [String: VersionHash] {
    Dictionary(entities.map { ($0.name, hash(of: $0)) }) { first, _ in first }
  }

  /// One hash over those of all entities: the checksum by which a staged migration finds a version.
  public var versionHash: VersionHash {
    var encoder = HashEncoder(kind: "schema")
    for entity in entities {
      encoder.add(entity.name)
      encoder.add(hash(of: entity).description)
    }
    return VersionHash(encoder)
  }

  /// The hash of one entity, inherited properties included.
  public func hash(of entity: Entity) -> VersionHash {
    var encoder = HashEncoder(kind: "entity")
    encoder.add(entity.name)
    encoder.add(entity.parent)
    encoder.add(entity.isAbstract)
    encoder.add(entity.hashModifier)
    var composites = CompositeNumbers()
    for attribute in allAttributes(of: entity) where !attribute.options.contains(.transient) {
      add(attribute, to: &encoder, &composites)
    }
    addMembers(of: &composites, to: &encoder)
    for relationship in allRelationships(of: entity) where !relationship.isTransient {
      add(relationship, to: &encoder)
    }
    return VersionHash(encoder)
  }

  private func add(
    _ attribute: Attribute, to encoder: inout HashEncoder, _ composites: inout CompositeNumbers
  ) {
    encoder.add("attribute")
    encoder.add(attribute.name)
    encoder.add(attribute.type.rawValue)
    encoder.add(attribute.isOptional)
    encoder.add(attribute.hashModifier)
    guard let name = attribute.compositeName, composite(name) != nil else { return }
    encoder.add("members")
    encoder.add(String(composites.number(of: name)))
  }

  /// Adds the members of every composite type in use, each type once: types may use one another many
  /// times over, and in a circle.
  private func addMembers(of composites: inout CompositeNumbers, to encoder: inout HashEncoder) {
    var number = 0
    while number < composites.names.count {
      encoder.add("composite")
      for member in composite(composites.names[number])?.attributes ?? [] {
        add(member, to: &encoder, &composites)
      }
      number += 1
    }
  }

  private func add(_ relationship: Relationship, to encoder: inout HashEncoder) {
    encoder.add("relationship")
    encoder.add(relationship.name)
    encoder.add(relationship.destination)
    encoder.add(relationship.inverse)
    encoder.add(relationship.isOptional)
    encoder.add(relationship.isToMany)
    encoder.add(relationship.isOrdered)
    encoder.add(String(relationship.minimumCount))
    encoder.add(String(relationship.maximumCount))
    encoder.add(relationship.deleteRule.rawValue)
    encoder.add(relationship.hashModifier)
  }
}

/// Numbers composite types in the order in which an entity comes by them: a type's own name does not
/// count, as it is not stored.
private struct CompositeNumbers {
  private(set) var names: [String] = []
  private var numbers: [String: Int] = [:]

  mutating func number(of name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }
}

/// Feeds a digest so that no two different lists of values give the same bytes: each value is
/// preceded by its length, and a missing one differs from an empty one.
private struct HashEncoder {
  private var hasher = SHA256()

  init(kind: String) { add("contrail version hash 1, \(kind)") }

  mutating func add(_ text: String?) {
    guard let text else {
      hasher.update(CollectionOfOne(0))
      return
    }
    hasher.update(CollectionOfOne(1))
    let count = UInt32(truncatingIfNeeded: text.utf8.count)
    hasher.update((0..<4).map { UInt8(truncatingIfNeeded: count >> (UInt32($0) * 8)) })
    hasher.update(text.utf8)
  }

  mutating func add(_ flag: Bool) { add(flag ? "yes" : "no") }

  func digest() -> [UInt8] { hasher.finish() }
}
