/// The names that a mapping makes itself.
public enum MappedNames {
  /// The bytes with one clock for each field, so that concurrent edits merge field by field.
  public static let clocks = "contrailClocks"
  /// The record type of every many-to-many relationship in Core Data's mirroring.
  public static let sharedEdgeType = "CDMR"
  /// The most characters that a record type's or a field's name may have.
  public static let charactersMax = 255

  /// What Core Data's mirroring puts before the names of entities and properties.
  static let coreDataPrefix = "CD_"
  /// What Core Data's mirroring puts after a field's name for its twin.
  static let assetSuffix = "_ckAsset"
  static let entityName = "CD_entityName"
  static let moveReceipt = "CD_moveReceipt"
  static let sharedEdge = MappedEdge.Layout.shared(
    entityNames: "CD_entityNames", recordNames: "CD_recordNames",
    relationships: "CD_relationships")

  /// The record type that holds the objects of an entity.
  static func recordType(of entity: Schema.Entity, in schema: Schema, _ profile: MappingProfile)
    -> String
  {
    profile == .native ? entity.name : coreDataPrefix + schema.root(of: entity).name
  }

  /// The field of a property.
  static func field(of property: String, _ profile: MappingProfile) -> String {
    profile == .native ? property : coreDataPrefix + property
  }

  /// The field of a composite attribute's member.
  ///
  /// An underscore keeps names that are made apart from
  /// names that are given, which seldom have one.
  static func field(of member: String, within field: String) -> String { "\(field)_\(member)" }

  /// The field with an object's place in the ordered relationship at the other end.
  static func order(of field: String) -> String { "\(field)_order" }

  /// The record type of one many-to-many relationship, named after its first end.
  static func edgeType(of source: MappedEdge.End) -> String {
    "\(source.entity)_\(source.relationship)"
  }

  /// Why a server would not take `name` for a type or field; nil when it would.
  static func problem(with name: String) -> RecordMapping.Collision.Kind? {
    if name.utf8.count > charactersMax { return .nameTooLong }
    return name.isRecordIdentifier ? nil : .notAnIdentifier
  }
}

extension String {
  /// Whether the text is an ASCII letter followed by letters, digits and underscores: what names a
  /// record type or field without quotes.
  package var isRecordIdentifier: Bool {
    guard let first = utf8.first, first.isASCIILetter else { return false }
    return utf8.allSatisfy {
      $0.isASCIILetter || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
    }
  }
}

extension UInt8 {
  private static let lowercaseLetters = UInt8(ascii: "a")...UInt8(ascii: "z")

  fileprivate var isASCIILetter: Bool { Self.lowercaseLetters.contains(self | 0x20) }
}
