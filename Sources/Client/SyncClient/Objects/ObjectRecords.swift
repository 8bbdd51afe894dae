public import DataModel
public import ObjectStore
public import RecordWire

/// An object of a store: the number of its concrete entity, and its key.
public struct ObjectKey: Hashable, Sendable {
  /// The number of the entity in the store's catalogue.
  public var entity: Int
  /// The key in the entity's table.
  public var key: Int64

  /// Names an object.
  public init(entity: Int, key: Int64) {
    self.entity = entity
    self.key = key
  }
}

/// How the objects of one store are records, and records objects: put together once, from the store's
/// layout and a profile.
///
/// ```swift
/// let records = try ObjectRecords(store.layout, .native)
/// let type = records.objectType(number: change.entity.number)
/// ```
public final class ObjectRecords: Sendable {
  /// Where objects are in the store.
  public let layout: StoreLayout
  /// Where they are in records.
  public let mapping: RecordMapping
  /// The entities that have objects and records, by name.
  public let objectTypes: [ObjectType]
  /// The relationships whose pairs are records.
  public let edgeTypes: [EdgeType]

  /// Whether values of any objects may be in files.
  let hasFiles: Bool
  /// Fields that are no property's, and are sent for older versions of the program.
  public let legacyFields: [LegacyField]

  private let byNumber: [Int: ObjectType]
  private let byRecordType: [String: [ObjectType]]
  private let edgesByNumber: [Int: EdgeType]
  private let edgesByRecordType: [String: [EdgeType]]

  /// Puts together what is needed; throws for all of a schema that no record can hold, and for fields for
  /// older versions that it has itself.
  public init(
    _ layout: StoreLayout, _ profile: MappingProfile, legacyFields: [LegacyField] = []
  ) throws(UnsyncableSchema) {
    self.layout = layout
    self.legacyFields = legacyFields
    mapping = layout.schema.mapped(profile)
    var builder = ObjectRecordsBuilder(layout, mapping)
    (objectTypes, edgeTypes) = try builder.build()
    hasFiles = objectTypes.contains { $0.hasFiles }
    let taken = objectTypes.flatMap { type in
      legacyFields.filter {
        $0.recordType.utf8.elementsEqual(type.recordType.utf8) && type.place(of: $0.name) != nil
      }.map { UnsyncableSchema.Problem.notLegacy(.entity(type.entity), $0.name) }
    }
    if !taken.isEmpty { throw UnsyncableSchema(profile: profile, problems: taken) }
    byNumber = Dictionary(
      objectTypes.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    byRecordType = Dictionary(grouping: objectTypes, by: \.recordType)
    edgesByNumber = Dictionary(
      edgeTypes.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    edgesByRecordType = Dictionary(grouping: edgeTypes, by: \.edge.recordType)
  }

  /// How the objects are mapped.
  public var profile: MappingProfile { mapping.profile }
}

extension ObjectRecords {
  /// The type of the entity with that number in the catalogue; nil for one without records.
  public func objectType(number: Int) -> ObjectType? { byNumber[number] }

  /// The type of the entity of that name; nil for one without records.
  public func objectType(entity name: String) -> ObjectType? {
    layout.entity(name).flatMap { byNumber[$0.number] }
  }

  /// The type of a record; nil where its type, or the entity that it names, is not known here.
  ///
  /// Where entities share a record type, a record without the name of its entity is of the topmost one
  /// that has objects.
  public func objectType(recordType: String, fields: RecordFields) -> ObjectType? {
    guard let types = byRecordType[recordType], let first = types.first,
      first.recordType.utf8.elementsEqual(recordType.utf8)
    else { return nil }
    guard let field = first.entityNameField else { return first }
    switch fields[field]?.value ?? .null {
    case .string(let name), .untyped(.string(let name)):
      return types.first { $0.entity.utf8.elementsEqual(name.utf8) }
    case .null: return types.first { $0.layout.root == $0.layout.index }
    default: return nil
    }
  }

  /// The relationship whose pairs are in the table that the property with that number owns.
  public func edgeType(number: Int) -> EdgeType? { edgesByNumber[number] }

  /// Whether records of a type are pairs.
  public func isEdge(recordType: String) -> Bool { edgesByRecordType[recordType] != nil }

  /// The relationships whose pairs a record type holds.
  func edgeTypes(recordType: String) -> [EdgeType] { edgesByRecordType[recordType] ?? [] }

  /// What a property of an entity stands for, by the numbers that history gives.
  public func meaning(of property: Int, entity: Int) -> PropertyMeaning {
    byNumber[entity]?.meaning(of: property) ?? .nothing
  }
}
