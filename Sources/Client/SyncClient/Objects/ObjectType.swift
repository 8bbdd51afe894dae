import DataModel
public import ObjectStore
public import RecordWire
public import SyncCore

/// How the objects of one concrete entity are records.
public final class ObjectType: Sendable {
  /// The entity's layout in the store.
  public let layout: EntityLayout
  /// The type of its records.
  public let recordType: String
  /// The field that tells the entity of a record, where entities share a type.
  public let entityNameField: String?
  /// The field with one clock for each field; nil where the profile has none.
  public let clocksField: String?
  /// The fields, in the order of the bytes of their names.
  public let places: [FieldPlace]
  /// The field with the version of what a record means; nil where the entity names none.
  public let versionField: String?
  /// The fields that identify an object to people; empty where the entity names none.
  public let naturalKey: [String]
  /// The rules for merging that attributes name, by field.
  public let mergeRules: [String: MergeRule]
  /// What reads an object's row.
  let selectSQL: String
  /// What reads rows of objects together with what the server confirmed of them.
  let paired: PairedSQL
  /// Fields whose value may be in another field, as a file.
  let twins: [Int]
  /// The fields of type ASSET that values may be in, twins included.
  let fileFields: [String]
  /// The fields at the other ends of one-to-one relationships, by the field at this end.
  let opposites: [String: OppositeField]
  private let meanings: [Int: PropertyMeaning]

  /// The entity's name.
  public var entity: String { layout.name }
  /// The entity's number, which history speaks in.
  public var number: Int { layout.number }

  init(
    layout: EntityLayout, mapped: MappedEntity, places: [FieldPlace], selectSQL: String,
    paired: PairedSQL, versionField: String?, naturalKey: [String], mergeRules: [String: MergeRule],
    meanings: [Int: PropertyMeaning]
  ) {
    self.layout = layout
    recordType = mapped.recordType
    entityNameField = mapped.entityNameField
    clocksField = mapped.clocksField
    self.places = places
    self.selectSQL = selectSQL
    self.paired = paired
    self.versionField = versionField
    self.naturalKey = naturalKey
    self.mergeRules = mergeRules
    self.meanings = meanings
    opposites = Dictionary(
      places.compactMap { place in
        guard place.destination != nil,
          case .fields(_, let opposite?)? = meanings[place.property]
        else { return nil }
        return (place.name, opposite)
      }, uniquingKeysWith: { first, _ in first })
    twins = places.indices.filter { places[$0].assetTwin != nil }
    fileFields = places.compactMap { $0.kind == .file ? $0.name : $0.assetTwin }
  }

  /// What a property of the entity stands for, by the number that history gives.
  public func meaning(of property: Int) -> PropertyMeaning { meanings[property] ?? .nothing }

  /// The field of that name; nil for one that is no property's, a twin's for example.
  public func place(of field: String) -> FieldPlace? {
    index(of: field).map { places[$0] }
  }

  /// The position of a field, found by halving.
  func index(of field: String) -> Int? {
    var low = 0
    var high = places.count
    while low < high {
      let middle = low + (high - low) / 2
      if places[middle].name.utf8.lexicographicallyPrecedes(field.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < places.count && places[low].name.utf8.elementsEqual(field.utf8) ? low : nil
  }

  /// The field with the place in the order that a to-one's field is about; nil where there is no order.
  func orderField(of field: String) -> String? {
    guard let slot = place(of: field)?.slot else { return nil }
    return places.first {
      if case .order(let of) = $0.kind { of == slot } else { false }
    }?.name
  }

  /// How a field is merged; the later edit wins where its attribute says nothing.
  public func mergeRule(of field: String) -> MergeRule { mergeRules[field] ?? .lastEdit }
}

/// What reads the objects of a range of records: the columns that an object's row is read with, and behind
/// them the record's number and the bytes of its fields.
struct PairedSQL: Sendable {
  /// The statement; its parameters are the entity, the zone, and where the range begins and ends.
  let sql: String
  /// The column of the record's number; the bytes stand in the next one.
  let number: Int32
}

extension ObjectType {
  /// What reading gives after `value` was written to a field: the value as this store would send it;
  /// nil for one that the field cannot take, which is left out of the object.
  ///
  /// - Null, or no field, becomes `FieldPlace.whenEmpty`.
  /// - A number is rounded to single precision where the attribute has that; minus zero becomes zero.
  /// - A decimal loses zeros that say nothing, and digits beyond its 38 (`1.50` becomes `1.5`); as a
  ///   floating-point number it is what a decimal can hold.
  /// - A UUID is in upper case.
  /// - A time is one that a `Date` can hold: within 70,000 years every millisecond is.
  /// - A truth value is 0 or 1.
  /// - What is out of the range of an attribute's integers, or of another type, is nil.
  ///
  /// Applied to what it gave it gives the same again, and so it does to whatever reading gives.
  public func asStored(_ value: RecordValue, in field: String) -> RecordValue? {
    guard let place = place(of: field) else { return value }
    return place.asStored(value)
  }

  /// Whether what an object has in a field is what a record has there, but for what the store cannot
  /// tell apart; nil stands for no field.
  public func isSame(object: RecordValue?, record: RecordValue?, in field: String) -> Bool {
    let (object, record) = (object ?? .null, record ?? .null)
    if object.isSame(as: record) { return true }
    return asStored(record, in: field)?.isSame(as: object) ?? false
  }
}
