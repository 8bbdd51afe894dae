public import DataModel

/// One environment's schema as requests look things up in it: made once for each version.
public struct ResolvedSchema: Sendable {
  /// The environment.
  public let environment: SchemaEnvironment
  /// The version of the container's schema that this was made from.
  public let version: Int64
  /// The record types by name.
  public let types: [String: ResolvedType]
  /// What an unknown type would be.
  let unknownType: ResolvedType

  /// Prepares look-ups in `schema`.
  public init(_ schema: RecordSchema, environment: SchemaEnvironment, version: Int64) {
    self.environment = environment
    self.version = version
    types = Dictionary(
      schema.types.map { ($0.name, ResolvedType($0)) }, uniquingKeysWith: { first, _ in first })
    unknownType = ResolvedType(
      RecordSchema.RecordType(
        name: "", fields: RecordSchema.systemFields, grants: RecordSchema.defaultGrants))
  }

  /// The type of that name.
  public func type(_ name: String) -> ResolvedType? { types[name] }
}

/// A record type as requests look things up in it.
public struct ResolvedType: Sendable {
  /// The type's name.
  public let name: String
  /// Its fields by name, system fields included.
  public let fields: [String: ResolvedField]
  /// How many of the fields count for the limit.
  let countedFields: Int
  /// Who may do what.
  let grants: ResolvedGrants
  /// What is kept of the fields that have indexes.
  let indexed: [IndexedField]

  init(_ type: RecordSchema.RecordType) {
    name = type.name
    countedFields = type.countedFields
    fields = Dictionary(
      type.fields.map { ($0.name, ResolvedField($0)) }, uniquingKeysWith: { first, _ in first })
    grants = ResolvedGrants(type.grants)
    indexed = type.fields.compactMap { IndexedField($0, of: type.name) }
  }
}

/// A field as requests look it up.
public struct ResolvedField: Sendable {
  /// What the values are.
  public let shape: FieldShape
  /// What queries may ask of it.
  public let indexes: RecordSchema.Indexes
  /// Whether the server keeps the field itself.
  public let isSystem: Bool
  /// One bit for each kind of value that the field takes.
  private let taken: UInt32
  /// Whether the next number decides the field's kind.
  let isUnsettled: Bool

  init(_ field: RecordSchema.Field) {
    let shape = field.shape
    self.shape = shape
    indexes = field.indexes
    isSystem = field.isSystem
    isUnsettled = shape.isUnsettled
    let kinds = shape.taken
    taken = WireValueType.Element.all.reduce(0) { bits, element in
      kinds.contains(element) ? bits | element.bit : bits
    }
  }

  /// Whether the field takes such a value.
  public func takes(_ value: WireValueType) -> Bool {
    // Null has no form, and clears any field.
    if value.element == .absent { return !value.isList || shape.isList }
    return taken & value.element.bit != 0 && value.isList == shape.isList
      && value.isEncrypted == shape.isEncrypted
  }
}

extension WireValueType.Element {
  /// The element's own bit among all.
  fileprivate var bit: UInt32 {
    switch self {
    case .typed(let type): 1 << type.bitNumber
    case .text: 1 << 16
    case .integer: 1 << 17
    case .fraction: 1 << 18
    case .truth: 1 << 19
    case .reference: 1 << 20
    case .location: 1 << 21
    case .asset: 1 << 22
    case .absent: 1 << 23
    }
  }
}

extension RecordSchema.FieldType {
  fileprivate var bitNumber: UInt32 {
    switch self {
    case .asset: 0
    case .bytes: 1
    case .double: 2
    case .int64: 3
    case .location: 4
    case .reference: 5
    case .string: 6
    case .timestamp: 7
    case .number: 8
    }
  }
}
