import DataModel
import RecordWire

/// A field with an index, and what is kept of its values.
struct IndexedField: Sendable {
  let name: String
  /// What the values are, once a number has settled.
  let type: RecordSchema.FieldType
  let isList: Bool
  /// Whether records without a value have an entry too, so that a sorted query finds them.
  let marksAbsence: Bool
  let slots: [IndexSlot]

  /// Nil for a field without a slot: one without indexes, or of a type that has no order.
  init?(_ field: RecordSchema.Field, of recordType: String) {
    let kinds = IndexSlot.Kind.kept(of: field.shape, by: field.indexes)
    if kinds.isEmpty { return nil }
    name = field.name
    type = field.shape.settledType
    isList = field.isList
    marksAbsence = field.indexes.contains(.sortable) && kinds.contains(.value)
    slots = kinds.map { IndexSlot(type: recordType, field: field.name, kind: $0) }
  }
}

extension FieldShape {
  /// What the values are: a number's own kind, where it has settled.
  var settledType: RecordSchema.FieldType {
    type == .number ? preferredNumber ?? .number : type
  }
}

extension IndexSlot.Kind {
  /// What is kept of a field with those indexes.
  static func kept(
    of shape: FieldShape, by indexes: RecordSchema.Indexes
  ) -> [IndexSlot.Kind] {
    if shape.isEncrypted || shape.type == .asset { return [] }
    var kinds: [IndexSlot.Kind] = []
    let hasValues = !indexes.isDisjoint(with: [.queryable, .sortable])
    switch (shape.type, shape.isList) {
    case (.location, false): if hasValues { kinds.append(.place) }
    case (.location, true): break
    case (_, true): if indexes.contains(.queryable) { kinds.append(.member) }
    case (_, false): if hasValues { kinds.append(.value) }
    }
    if shape.type == .string, indexes.contains(.searchable) { kinds.append(.word) }
    return kinds
  }
}

extension ResolvedType {
  /// The entries of a record of this type.
  func entries(
    of row: RecordRow, _ fields: RecordFields, zone: String
  ) -> [IndexEntry] {
    if row.isDeleted { return [] }
    let values = RowValues(row, fields)
    return indexed.flatMap { field in
      let value = values[field.name]
      return field.slots.flatMap { slot in
        field.entries(slot, value, zone: zone).map { IndexEntry(slot, $0) }
      }
    }
  }
}

extension IndexedField {
  /// How many entries one record has for one slot; with more, it has the one that is always looked at.
  static let entriesMax = 1_000

  fileprivate func entries(
    _ slot: IndexSlot, _ value: RecordValue?, zone: String
  ) -> [[UInt8]] {
    // All names are in order anyway: one entry says that the record is there.
    if slot.field == SystemField.recordName.schemaName { return [IndexBytes.absent] }
    guard let value else { return slot.kind == .value && marksAbsence ? [IndexBytes.absent] : [] }
    switch slot.kind {
    case .value: return [IndexBytes.entry(IndexBytes.of(value, as: type, zone: zone))]
    case .place: return value.locations.map(EarthStrips.entry)
    case .member:
      return Self.bounded(
        Set(value.elements.compactMap { IndexBytes.of($0, as: type, zone: zone) }))
    case .word: return Self.bounded(value.words)
    }
  }

  private static func bounded(_ values: Set<[UInt8]>) -> [[UInt8]] {
    guard values.count <= entriesMax else { return [IndexBytes.absent] }
    // Long values may be the same where they are cut off.
    return Array(Set(values.map { IndexBytes.entry($0) }))
  }
}

extension RecordValue {
  /// The elements of a list, or the value alone.
  var elements: [RecordValue] {
    if case .list(let elements, _) = self { elements } else { [self] }
  }

  /// The words of a text, or of a list of texts.
  var words: Set<[UInt8]> {
    if case .string(let text) = self { return TextWords.of(text) }
    return elements.reduce(into: []) { words, element in
      if case .string(let text) = element { words.formUnion(TextWords.of(text)) }
    }
  }

  var locations: [RecordLocation] {
    if case .location(let location) = self { [location] } else { [] }
  }
}

/// The values of one record by the names that the schema has for them.
struct RowValues {
  let row: RecordRow
  let fields: RecordFields

  init(_ row: RecordRow, _ fields: RecordFields) {
    self.row = row
    self.fields = fields
  }

  /// The value; nil where there is none.
  subscript(name: String) -> RecordValue? {
    if name.hasPrefix("___"), let system = SystemField(schemaName: name) { return self[system] }
    guard let value = fields[name]?.value, value != .null else { return nil }
    return value
  }

  private subscript(system: SystemField) -> RecordValue? {
    switch system {
    case .recordName: Self.link(row.name)
    case .parent: row.parent.map(Self.link)
    case .createdTimestamp: .timestamp(row.created.timestamp)
    case .modifiedTimestamp: .timestamp(row.modified.timestamp)
    case .createdUserRecordName: row.created.userRecordName.map(Self.link)
    case .modifiedUserRecordName: row.modified.userRecordName.map(Self.link)
    // Nothing is shared yet.
    case .share: nil
    }
  }

  private static func link(_ name: String) -> RecordValue {
    .reference(RecordReference(recordName: name))
  }
}
