import DataModel
import Foundation
import SQLiteDriver

/// What derived attributes need of SQL beyond SQLite's own functions.
enum DerivedFunctions {
  static let decimals = "contrail_derived_decimals"

  static func name(_ function: Derivation.Function) -> String {
    "contrail_derived_\(function.rawValue)"
  }

  static func add(to connection: Connection) throws(SQLiteError) {
    for function in Derivation.Function.allCases {
      try connection.addFunction(name(function), argumentCount: 1) { arguments in
        guard case .string(let text)? = arguments.first else { return .null }
        return .string(apply(function, text))
      }
    }
    try connection.addFunction(decimals, argumentCount: 2) { arguments in
      guard arguments.count == 2, case .string(let word) = arguments[0],
        let aggregate = Derivation.Aggregate(rawValue: word)
      else { return .null }
      guard case .string(let list) = arguments[1] else { return combine(aggregate, []) }
      return combine(
        aggregate, list.split(separator: " ").compactMap { Decimal(string: String($0)) })
    }
  }

  static func apply(_ function: Derivation.Function, _ text: String) -> String {
    switch function {
    case .canonical:
      text.folding(
        options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    case .lowercase: text.lowercased()
    case .uppercase: text.uppercased()
    }
  }

  private static func combine(_ aggregate: Derivation.Aggregate, _ numbers: [Decimal]) -> FieldValue
  {
    let result: Decimal? =
      switch aggregate {
      case .count: Decimal(numbers.count)
      case .sum: numbers.reduce(0, +)
      case .min: numbers.min()
      case .max: numbers.max()
      case .average: numbers.isEmpty ? nil : numbers.reduce(0, +) / Decimal(numbers.count)
      }
    return result.map { .string($0.description) } ?? .null
  }
}
