import DataModel
import Foundation

/// What `IN` looks into: each value by itself, or where there are many of them, all in one text.
///
/// A statement has only so many parameters (sqlite.org/limits.html#max_variable_number), 250,000 where Debian
/// has built it.
enum LongList {
  /// How many values are bound by themselves where they can be in one text.
  static let shortMax = 10_000
  /// How many values are bound by themselves at most.
  static let boundMax = 200_000

  /// SQL for the list; nil for a very long one of values that JSON has no form for.
  static func sql(of values: [FieldValue]) -> SQL? {
    if values.count > shortMax, let json = json(values) {
      return "SELECT value FROM json_each(\(value: .string(json)))"
    }
    return values.count > boundMax ? nil : SQL.list(values.map { "\(value: $0)" })
  }

  private static func json(_ values: [FieldValue]) -> String? {
    if let integers = all(values, { if case .integer(let number) = $0 { number } else { nil } }) {
      return "[" + integers.map(String.init).joined(separator: ",") + "]"
    }
    // A text that has a zero in it ends there for SQLite's JSON.
    let texts = all(values) { value -> String? in
      if case .string(let text) = value, !text.utf8.contains(0) { text } else { nil }
    }
    return texts.flatMap { try? JSONEncoder().encode($0) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// What `part` gives of every value; nil where it gives nothing of some.
  private static func all<Part>(_ values: [FieldValue], _ part: (FieldValue) -> Part?) -> [Part]? {
    let parts = values.compactMap(part)
    return parts.count == values.count ? parts : nil
  }
}
