/// The record schema of a schema's objects, and what became of what.
///
/// Made by `Schema.mapped(_:)`. A mapping is made of every schema, also of one that cannot be synced:
/// what stands in the way is listed, so that a lint can name it.
public struct RecordMapping: Hashable, Sendable {
  /// How the objects were mapped.
  public var profile: MappingProfile
  /// The record types, system fields, default indexes and default grants included.
  public var schema: RecordSchema
  /// For record types and fields, the entity or property that they come from.
  ///
  /// Where several share one it is the first; what the mapping adds itself, such as a system field,
  /// has no entry.
  public var origins: [SchemaElement: SchemaElement]
  /// The entities that have objects, by name, and where their properties are held.
  public var entities: [String: MappedEntity]
  /// Names that two parts claim, or that a server would refuse.
  public var collisions: [Collision]
  /// Stored properties that no record can hold: an attribute of a type that means nothing elsewhere,
  /// a composite attribute without a type, and in Core Data's layout a to-many relationship without
  /// an inverse.
  public var unmapped: [SchemaElement]
}

extension RecordMapping {
  /// A record type or field that cannot be what the schema asks for.
  public struct Collision: Hashable, Sendable {
    /// What is wrong with a name.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// Several parts of the schema claim the same record type or field.
      case claimedTwice
      /// The mapping needs the name itself.
      case reserved
      /// The name is longer than `MappedNames.charactersMax`.
      case nameTooLong
      /// The name is not a letter followed by letters, digits and underscores.
      case notAnIdentifier
    }

    /// What is wrong.
    public var kind: Kind
    /// The record type or field.
    public var element: SchemaElement
    /// The parts of the schema that claim it, the one that has it first.
    public var claimants: [SchemaElement]
  }

  /// Where the objects of an entity are held; nil for one that is abstract or unknown.
  public func entity(_ name: String) -> MappedEntity? { entities[name] }

  /// The entities whose objects a record type holds, sorted by name; none for edges.
  public func entities(in recordType: String) -> [MappedEntity] {
    entities.values.filter { $0.recordType == recordType }.sorted {
      $0.entity.precedesInBytes($1.entity)
    }
  }
}

extension RecordMapping.Collision: CustomStringConvertible {
  /// What is wrong, as a sentence without a full stop.
  public var description: String {
    let names = claimants.map(\.description).joined(separator: " and ")
    let target = "the \(element.kindName) \(element)"
    return switch kind {
    case .claimedTwice: "\(names) both claim \(target)"
    case .reserved: "\(names) claims \(target), which the mapping needs itself"
    case .nameTooLong:
      "\(names) gives \(target) a name of more than \(MappedNames.charactersMax) characters"
    case .notAnIdentifier:
      "\(names) gives \(target) a name that is not a letter followed by letters, digits and "
        + "underscores"
    }
  }
}
