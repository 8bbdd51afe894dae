/// Where the objects of one entity are held.
public struct MappedEntity: Hashable, Sendable {
  /// The entity.
  public var entity: String
  /// The type of its records.
  public var recordType: String
  /// The field that tells the entity of a record, where entities share a type.
  public var entityNameField: String?
  /// The field with one clock for each field; nil where the layout has no place for it.
  public var clocksField: String?
  /// Its properties, inherited ones included, by name; those that are never stored are absent.
  public var properties: [String: MappedProperty]
}

/// Where the values of one property are held.
public enum MappedProperty: Hashable, Sendable {
  /// In a field of the object's record.
  case attribute(MappedField)
  /// In a field for each member of a composite attribute.
  case composite([String: MappedProperty])
  /// In a field with the record name of the related object; `order` is the field with this object's
  /// place among those that the related object holds, where that has an order.
  case toOne(field: String, order: String?)
  /// In the `toOne` that is the relationship's inverse, on the related objects' records.
  case children(inverse: String)
  /// In records of their own, one for each pair of related objects.
  case edges(MappedEdge, from: MappedEdge.Side)
}

/// A field that holds an attribute's values.
public struct MappedField: Hashable, Sendable {
  /// The field's name.
  public var name: String
  /// What it holds.
  public var type: RecordSchema.FieldType
  /// Whether the server sees only an encrypted form.
  public var isEncrypted: Bool
  /// The field that holds a value as a file when it is too large for the record.
  public var assetTwin: String?
}

/// The records that hold a many-to-many relationship, or a to-many one without an inverse.
public struct MappedEdge: Hashable, Sendable {
  /// One end of a relationship.
  public struct End: Hashable, Sendable {
    /// The entity that declares the end.
    public var entity: String
    /// The relationship's name there.
    public var relationship: String
  }

  /// Which end of an edge.
  public enum Side: String, Hashable, Sendable, CaseIterable {
    /// The end that the edge is named after.
    case source
    /// The other end.
    case target
  }

  /// The fields of an edge's record.
  public enum Layout: Hashable, Sendable {
    /// A record type for this relationship: a field with the record name at either end, and for an
    /// ordered end one with the edge's place in that end's order.
    case own(source: String, target: String, sourceOrder: String?, targetOrder: String?)
    /// One record type for all relationships: fields with both names, joined by a colon, source
    /// first.
    case shared(entityNames: String, recordNames: String, relationships: String)
  }

  /// The type of the edges' records.
  public var recordType: String
  /// The end that comes first.
  public var source: End
  /// The other end; nil for a relationship without an inverse.
  public var target: End?
  /// Their fields.
  public var layout: Layout
  /// The field with one clock for each field; nil where the layout has no place for it.
  public var clocksField: String?

  /// Whether both ends are the same relationship, so that an edge has no direction.
  public var isSymmetric: Bool { source == target }
}

extension MappedEdge {
  /// The name of the record that joins two objects: the same on every device, so that a pair that
  /// two devices join is one record, and another one for every other pair and relationship.
  ///
  /// Without a direction the lesser name comes first. In the type that all relationships share it is
  /// a UUID, as Core Data's mirroring has there. In a type of its own it shows both names, unless
  /// they are too long to stand beside each other or have a colon themselves: then a digest stands in.
  public func recordName(source: RecordName, target: RecordName) -> RecordName? {
    let ends = isSymmetric && target < source ? (target, source) : (source, target)
    return switch layout {
    case .own: ownName(ends.0.text, ends.1.text)
    case .shared: sharedName(ends.0.text, ends.1.text)
    }
  }

  private func ownName(_ source: String, _ target: String) -> RecordName? {
    let parts = [recordType, source, target]
    let isReadable = parts.allSatisfy { !$0.utf8.contains(UInt8(ascii: ":")) }
    return (isReadable ? RecordName(parts.joined(separator: ":")) : nil)
      ?? RecordName(Self.digest(of: parts).hexadecimal)
  }

  /// The type says nothing here, so that the relationship has to: two objects may be joined by two.
  private func sharedName(_ source: String, _ target: String) -> RecordName? {
    let far = self.target ?? self.source
    let parts = [
      self.source.entity, self.source.relationship, source, far.entity, far.relationship, target,
    ]
    return RecordName(Self.uuid(of: Self.digest(of: parts)))
  }

  /// Each part goes with its length before it, so that no other parts make the same bytes.
  private static func digest(of parts: [String]) -> [UInt8] {
    SHA256.digest(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }

  /// A UUID of version 8, whose bits are the maker's own choice (RFC 9562, section 5.8).
  private static func uuid(of digest: [UInt8]) -> String {
    var rest = digest.prefix(16).enumerated().map { place, byte in
      switch place {
      case 6: byte & 0x0f | 0x80
      case 8: byte & 0x3f | 0x80
      default: byte
      }
    }[...]
    return [4, 2, 2, 2, 6].map { count in
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count).hexadecimal.uppercased()
    }.joined(separator: "-")
  }
}
