import DataModel
import RecordWire

/// What a comparator asks of a field, and of the value that it is compared with.
struct ComparatorRule: Sendable {
  /// The fields that it is for.
  enum Form: Sendable {
    case scalar, list
    /// Texts and lists of texts.
    case either
  }

  /// What the value is.
  enum Operand: Sendable {
    /// One value of the field's element type.
    case element
    /// A list of such.
    case list
    /// A text, or a list of texts, with words.
    case words
    /// A place, with a distance.
    case circle
  }

  /// What is found out about a value.
  enum Test: Sendable {
    case equals, before, notAfter, after, notBefore, begins, isIn
    case hasAny, hasAll, memberBegins, allWords, anyWord, near
  }

  var test: Test
  /// Whether the records are meant for which the test fails, those without a value among them.
  var isNegated = false
  var form: Form
  var types: Set<RecordSchema.FieldType>
  var operand: Operand
  /// The indexes of which the field has to have one; the first is named where it has none.
  var indexes: [RecordSchema.Indexes]

  /// The protocol's comparators, one row each.
  ///
  /// A positive comparator is true of no record that lacks the field. A negative one is true exactly
  /// where the positive one is not, so also of records that lack the field, as predicates of Core Data
  /// have it.
  static let rows: [QueryFilter.Comparator: ComparatorRule] = [
    .equals: scalar(.equals),
    .notEquals: scalar(.equals, isNegated: true),
    .lessThan: range(.before),
    .lessThanOrEquals: range(.notAfter),
    .greaterThan: range(.after),
    .greaterThanOrEquals: range(.notBefore),
    .isIn: scalar(.isIn, operand: .list),
    .isNotIn: scalar(.isIn, isNegated: true, operand: .list),
    .beginsWith: prefix(.begins),
    .notBeginsWith: prefix(.begins, isNegated: true),
    .near: ComparatorRule(
      test: .near, form: .scalar, types: [.location], operand: .circle,
      indexes: [.queryable, .sortable]),
    .containsAllTokens: words(.allWords),
    .containsAnyTokens: words(.anyWord),
    .listContains: list(.hasAny),
    .notListContains: list(.hasAny, isNegated: true),
    .listContainsAny: list(.hasAny, operand: .list),
    .notListContainsAny: list(.hasAny, isNegated: true, operand: .list),
    .listContainsAll: list(.hasAll, operand: .list),
    .notListContainsAll: list(.hasAll, isNegated: true, operand: .list),
    .listMemberBeginsWith: list(.memberBegins, types: [.string]),
    .notListMemberBeginsWith: list(.memberBegins, isNegated: true, types: [.string]),
  ]

  /// Types whose values have an order.
  static let ordered: Set<RecordSchema.FieldType> = [
    .bytes, .double, .int64, .number, .reference, .string, .timestamp,
  ]

  private static func scalar(
    _ test: Test, isNegated: Bool = false, operand: Operand = .element
  ) -> ComparatorRule {
    ComparatorRule(
      test: test, isNegated: isNegated, form: .scalar, types: ordered, operand: operand,
      indexes: [.queryable])
  }

  private static func range(_ test: Test) -> ComparatorRule {
    ComparatorRule(
      test: test, form: .scalar, types: ordered, operand: .element, indexes: [.sortable])
  }

  private static func prefix(_ test: Test, isNegated: Bool = false) -> ComparatorRule {
    ComparatorRule(
      test: test, isNegated: isNegated, form: .scalar, types: [.string], operand: .element,
      indexes: [.queryable, .sortable])
  }

  private static func words(_ test: Test) -> ComparatorRule {
    ComparatorRule(
      test: test, form: .either, types: [.string], operand: .words, indexes: [.searchable])
  }

  private static func list(
    _ test: Test, isNegated: Bool = false, operand: Operand = .element,
    types: Set<RecordSchema.FieldType> = ordered
  ) -> ComparatorRule {
    ComparatorRule(
      test: test, isNegated: isNegated, form: .list, types: types, operand: operand,
      indexes: [.queryable])
  }

  /// Whether it is for fields of that shape.
  func fits(_ shape: FieldShape) -> Bool {
    guard types.contains(shape.type), !shape.isEncrypted else { return false }
    switch form {
    case .scalar: return !shape.isList
    case .list: return shape.isList
    case .either: return true
    }
  }
}
