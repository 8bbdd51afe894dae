public import DataModel
import Foundation

/// A function that SQLite lacks, to be registered on each connection that runs our SQL.
public struct SQLFunction: Sendable {
  /// The function's name in SQL.
  public var name: String
  /// How many arguments it takes.
  public var argumentCount: Int
  /// The result for arguments as they lie in columns; itself a value that a column can hold.
  public var body: @Sendable ([FieldValue]) -> FieldValue
  /// Whether the same arguments always have the same result.
  public var isDeterministic = true

  /// Every function that our SQL calls.
  public static let rows: [SQLFunction] =
    QueryExpression.TextRelation.allCases.map(text)
    + QueryExpression.Arithmetic.allCases.map(number)
    + QueryExpression.Arithmetic.allCases.filter { $0 != .remainder }.map(decimal)
    + [
      SQLFunction(name: "contrail_text_order", argumentCount: 3) { arguments in
        guard let (left, right, options) = texts(arguments) else { return .null }
        return .integer(Int64(order(left, right, options)))
      },
      SQLFunction(name: "contrail_count", argumentCount: 1) { arguments in
        text(arguments).map { .integer(Int64($0.isPlain ? $0.utf8.count : $0.count)) } ?? .null
      },
      SQLFunction(name: "contrail_lowercased", argumentCount: 1) { arguments in
        text(arguments).map { .string($0.lowercased()) } ?? .null
      },
      SQLFunction(name: "contrail_uppercased", argumentCount: 1) { arguments in
        text(arguments).map { .string($0.uppercased()) } ?? .null
      },
      SQLFunction(name: "contrail_decimal_negative", argumentCount: 1) { arguments in
        arguments.first?.storedDecimal?.negated?.stored ?? .null
      },
      decimalList("contrail_decimal_sum") { $0.reduce(0, +) },
      decimalList("contrail_decimal_average") {
        $0.isEmpty ? nil : $0.reduce(0, +) / Decimal($0.count)
      },
      decimalList("contrail_decimal_minimum") { $0.min() },
      decimalList("contrail_decimal_maximum") { $0.max() },
    ]

  /// The name of the function for a relation of texts.
  static func name(_ relation: QueryExpression.TextRelation) -> String {
    "contrail_text_\(relation.rawValue)"
  }

  /// The name of the function for numbers of one kind.
  static func name(_ operation: QueryExpression.Arithmetic, _ kind: FieldValue.Kind) -> String {
    "contrail_\(kind == .decimal ? "decimal" : "number")_\(operation)"
  }
}

extension SQLFunction {
  private init(
    name: String, argumentCount: Int, _ body: @escaping @Sendable ([FieldValue]) -> FieldValue
  ) {
    self.name = name
    self.argumentCount = argumentCount
    self.body = body
  }

  private static func text(_ relation: QueryExpression.TextRelation) -> SQLFunction {
    SQLFunction(name: name(relation), argumentCount: 3) { arguments in
      guard let (left, right, options) = texts(arguments) else { return .integer(0) }
      return .integer(relation.holds(left, right, options) ? 1 : 0)
    }
  }

  /// Null where Swift would fail; the SQL around the call makes an error of it.
  private static func number(_ operation: QueryExpression.Arithmetic) -> SQLFunction {
    SQLFunction(name: name(operation, .double), argumentCount: 2) { arguments in
      guard let (left, right) = pair(arguments.map(\.storedNumber)) else { return .null }
      return operation.apply(left, right)?.stored ?? .null
    }
  }

  private static func decimal(_ operation: QueryExpression.Arithmetic) -> SQLFunction {
    SQLFunction(name: name(operation, .decimal), argumentCount: 2) { arguments in
      guard let (left, right) = pair(arguments.map(\.storedDecimal)) else { return .null }
      return operation.apply(left, right)?.stored ?? .null
    }
  }

  /// A function of the decimals in the texts that `group_concat` put together with spaces.
  private static func decimalList(
    _ name: String, _ body: @escaping @Sendable ([Decimal]) -> Decimal?
  ) -> SQLFunction {
    SQLFunction(name: name, argumentCount: 1) { arguments in
      let list = text(arguments) ?? ""
      let numbers = list.split(separator: " ").compactMap { part -> Decimal? in
        guard case .decimal(let number)? = FieldValue.string(String(part)).storedDecimal else {
          return nil
        }
        return number
      }
      return body(numbers).map { FieldValue.decimal($0).stored } ?? .null
    }
  }

  private static func text(_ arguments: [FieldValue]) -> String? {
    if case .string(let text)? = arguments.first { return text }
    return nil
  }

  private static func pair(_ values: [FieldValue?]) -> (FieldValue, FieldValue)? {
    guard values.count == 2, let left = values[0], let right = values[1] else { return nil }
    return (left, right)
  }

  private static func texts(
    _ arguments: [FieldValue]
  ) -> (String, String, QueryExpression.TextOptions)? {
    guard arguments.count == 3, case .string(let left) = arguments[0],
      case .string(let right) = arguments[1], case .integer(let options) = arguments[2]
    else { return nil }
    return (left, right, QueryExpression.TextOptions(rawValue: UInt8(truncatingIfNeeded: options)))
  }
}
