import DataModel
import RecordWire

/// A filter that the schema allows, its value of the field's type.
struct CheckedFilter: Sendable {
  let field: String
  let type: RecordSchema.FieldType
  let rule: ComparatorRule
  let value: RecordValue
  let distance: Double
  /// The indexes that the field has and that will do.
  let indexes: [IndexKey]

  init(_ filter: QueryFilter, _ type: ResolvedType) throws(RequestFailure) {
    field = filter.field.schemaName
    let known = try type.field(filter.field)
    guard let rule = ComparatorRule.rows[filter.comparator], rule.fits(known.shape) else {
      throw .notComparable(filter.field.shownInRefusals, known.shape, filter.comparator)
    }
    let sufficient = rule.indexes.filter { known.indexes.contains($0) }
    if sufficient.isEmpty, let first = rule.indexes.first {
      throw .notMarked(filter.field.shownInRefusals, first)
    }
    self.rule = rule
    let field = field
    indexes = sufficient.map { IndexKey(type: type.name, field: field, index: $0) }
    self.type = known.shape.settledType
    distance = try Self.distance(filter, rule)
    value = try Self.value(filter, rule, known)
  }

  private static func distance(
    _ filter: QueryFilter, _ rule: ComparatorRule
  ) throws(RequestFailure) -> Double {
    guard rule.operand == .circle else { return 0 }
    guard let distance = filter.distance, distance >= 0, distance.isFinite else {
      throw .noDistance
    }
    return distance
  }

  private static func value(
    _ filter: QueryFilter, _ rule: ComparatorRule, _ field: ResolvedField
  ) throws(RequestFailure) -> RecordValue {
    let type = field.shape.settledType
    let given = filter.value.value
    let isList = rule.operand == .list || rule.operand == .words && given.isSomeList
    do throws(ValueMismatch) {
      let value = try given.coerced(to: type, isList: isList)
      if value == .null { throw ValueMismatch(expected: field.shape.wireName) }
      // Users are the same in every zone.
      return field.isSystem && filter.field != .system(.recordName) ? value.withoutZone : value
    } catch {
      throw .wrongValue(filter.field.shownInRefusals, error)
    }
  }
}

extension ResolvedType {
  /// The field that a query names.
  func field(_ name: QueryField) throws(RequestFailure) -> ResolvedField {
    if let field = fields[name.schemaName], field.isSystem == name.isSystem { return field }
    // Every record has these, whether the schema lists them or not; then they have no index.
    if name.isSystem { return Self.systemFields[name.schemaName] ?? Self.unlistedReference }
    throw .unknownField(name.schemaName, in: self.name)
  }

  private static let systemFields = Dictionary(
    RecordSchema.systemFields.map { ($0.name, ResolvedField($0)) },
    uniquingKeysWith: { first, _ in first })
  /// `___parent` and `___share`.
  private static let unlistedReference = ResolvedField(
    RecordSchema.Field(name: "___parent", type: .reference))
}

extension QueryField {
  var isSystem: Bool { if case .system = self { true } else { false } }
}

extension RecordValue {
  /// Whether this is a list, with a type or without.
  var isSomeList: Bool {
    switch self {
    case .list, .untyped(.array): true
    default: false
    }
  }

  /// References without their zones.
  var withoutZone: RecordValue {
    switch self {
    case .reference(let reference):
      .reference(RecordReference(recordName: reference.recordName, action: reference.action))
    case .list(let elements, let type): .list(elements.map(\.withoutZone), of: type)
    default: self
    }
  }
}
