import DataModel
import RecordWire

/// Makes the fields of a record that is saved: of the types that the schema has, with those that stay.
struct ModifyFields {
  let environment: SchemaEnvironment
  let isPublic: Bool
  /// The schema, with what records before this one have added.
  private(set) var schema: ContainerSchema
  private(set) var resolved: ResolvedSchema

  init(_ call: ModifyCall) {
    environment = call.resolved.environment
    isPublic = call.zone.database.scope == .everyone
    schema = call.schema
    resolved = call.resolved
  }

  /// The record's fields as they are stored, with the references and assets among all of them.
  mutating func fields(
    of draft: ModifyDraft, zone: ZoneKey
  ) throws(RequestFailure) -> ModifiedFields {
    try admit(draft)
    guard let type = resolved.type(draft.type) else {
      throw .badRequest("there is no record type '\(draft.type)'")
    }
    var fields = RecordFields()
    do {
      if draft.kind.rule.keepsOtherFields, let existing = draft.existing {
        fields = try existing.fields.fields()
      }
    } catch {
      throw RequestFailure(.internalError, reason: "the stored record is damaged")
    }
    for entry in draft.fields.entries { fields[entry.name] = try Self.stored(entry, type) }
    guard fields.byteCount <= WireLimits.request.recordBytesMax else {
      throw .badRequest("record too large")
    }
    do {
      return ModifiedFields(
        fields: fields, bytes: try FieldBytes(fields),
        references: fields.rows(ofReferencesIn: zone),
        assets: Self.assets(fields))
    } catch {
      throw error.requestFailure
    }
  }

  /// Holds the record against the schema, which grows in development.
  private mutating func admit(_ draft: ModifyDraft) throws(RequestFailure) {
    let shape = SavedShape(
      type: draft.type,
      fields: draft.fields.entries.map { SavedShape.Field($0.name, WireValueType($0.field)) },
      isPublic: isPublic)
    if resolved.check(shape) == .fits { return }
    switch schema.admit(shape, to: environment) {
    case .fits: break
    case .refused(let refusals):
      throw .badRequest(refusals.map(\.message).joined(separator: "; "))
    case .extended(let next):
      schema = next.schema
      resolved = next.schema.resolved(environment)
    }
  }

  /// A field as it is stored; nil where it is cleared.
  private static func stored(
    _ entry: RecordFields.Entry, _ type: ResolvedType
  ) throws(RequestFailure) -> RecordField? {
    // A field that the schema does not have is cleared too: nothing tells what type it would be.
    guard let shape = type.fields[entry.name]?.shape else {
      return entry.field.value == .null ? nil : entry.field
    }
    let settled = shape.type == .number ? shape.preferredNumber ?? .number : shape.type
    do {
      let value = try entry.field.value.coerced(to: settled, isList: shape.isList)
      return value == .null ? nil : RecordField(value, isEncrypted: shape.isEncrypted)
    } catch {
      throw .badRequest("Field '\(entry.name)': \(error.reason)")
    }
  }

  private static func assets(_ fields: RecordFields) -> [AssetAddress] {
    var found: Set<AssetAddress> = []
    return fields.entries.flatMap { $0.field.value.assets }
      .compactMap { $0.storedFile?.address }.filter { found.insert($0).inserted }
  }
}

/// A record's fields, as values and as they are stored.
struct ModifiedFields {
  let fields: RecordFields
  let bytes: FieldBytes
  let references: [ReferenceRow]
  let assets: [AssetAddress]
}

extension WireValueType {
  /// What a value tells of its type.
  init(_ field: RecordField) {
    switch field.value {
    case .null, .unknown: self.init(.absent, isEncrypted: field.isEncrypted)
    case .untyped(.array(let elements)):
      self.init(
        Self.common(elements.map(Element.init)), isList: true, isEncrypted: field.isEncrypted)
    case .untyped(let value): self.init(Element(value), isEncrypted: field.isEncrypted)
    case .list(_, let type): self.init(.typed(type), isList: true, isEncrypted: field.isEncrypted)
    default:
      self.init(
        field.value.type.map { .typed($0) } ?? .absent, isEncrypted: field.isEncrypted)
    }
  }

  /// What elements have in common: whole numbers among fractions are fractions.
  private static func common(_ elements: [Element]) -> Element {
    guard let first = elements.first else { return .absent }
    return elements.contains(.fraction) ? .fraction : first
  }
}

extension WireValueType.Element {
  fileprivate init(_ value: UntypedValue) {
    switch value {
    case .integer: self = .integer
    case .double: self = .fraction
    case .string: self = .text
    case .boolean: self = .truth
    case .reference: self = .reference
    case .location: self = .location
    case .asset: self = .asset
    case .array: self = .absent
    }
  }
}
