import DataModel

/// A piece of SQL, and what its value is.
struct SQLTerm {
  /// What a term stands for.
  enum Shape {
    /// A value of one kind.
    case value(FieldValue.Kind)
    /// Nil itself.
    case null
    /// A value of which only is known whether it is there.
    case opaque
    /// An object; the term's SQL is its key.
    case object(SQLObject)
    /// A composite attribute, by the path of its members; the term's SQL says nothing.
    case composite(SQLObject, path: String)
    /// Objects or values of other rows; the term's SQL is the key of the object that they are of.
    case rows(SQLRows)
    /// Literal values.
    case list([FieldValue])
  }

  var sql: SQL
  var shape: Shape
  /// Whether the value may be null.
  var isNullable = false
  /// Whether evaluating it may raise an error.
  var mayFail = false
  /// Whether texts are known to be in normalization form C.
  var isNormalized = true
  /// Whether a floating-point number may be a NaN.
  var mayBeNaN = true
  /// The value, where it is known.
  var literal: FieldValue?

  /// A truth value.
  static func truth(_ sql: SQL, mayFail: Bool = false, isNullable: Bool = false) -> SQLTerm {
    SQLTerm(sql: sql, shape: .value(.boolean), isNullable: isNullable, mayFail: mayFail)
  }

  /// A truth value that is known.
  static func known(_ value: Bool) -> SQLTerm {
    SQLTerm(sql: value ? "1" : "0", shape: .value(.boolean), literal: .boolean(value))
  }

  /// The kind of value, where the term is one.
  var kind: FieldValue.Kind? {
    if case .value(let kind) = shape { return kind }
    return nil
  }

  /// Whether values are floating-point numbers, which may be NaN.
  var isReal: Bool { kind == .double || kind == .date }
}

/// An object in SQL.
struct SQLObject {
  /// Its entity, or an ancestor.
  var entity: SQLEntity
  /// The key.
  var key: SQL
  /// The alias under which its row is at hand; nil where it has to be looked up by the key.
  var alias: SQL?
}

/// Rows that a subquery selects.
struct SQLRows {
  /// The tables, with aliases.
  var tables: [SQL]
  /// What selects the rows; none of these may fail.
  var conditions: [SQL]
  /// Conditions that may raise an error, to be asked only where all others are true.
  var guarded: [SQL] = []
  /// What each row stands for.
  var element: [SQLTerm]

  /// The rows, as `FROM … WHERE …`.
  var source: SQL {
    var all = conditions
    if !guarded.isEmpty { all.append(SQL.guarded(conditions, SQL.inOrder(guarded, by: "AND"))) }
    let from: SQL = "FROM \(SQL.list(tables))"
    return all.isEmpty ? from : "\(from) WHERE \(SQL.joined(all, by: "AND"))"
  }
}

extension SQL {
  /// An error: SQLite knows no other that an expression can raise.
  static let failure: SQL = "abs(-9223372036854775807 - 1)"

  /// A condition that is asked only where others are true: SQLite may ask conjuncts in any order.
  static func guarded(_ guards: [SQL], _ condition: SQL) -> SQL {
    if guards.isEmpty { return condition }
    return "CASE WHEN \(SQL.joined(guards, by: "AND")) THEN \(condition) ELSE 0 END"
  }

  /// Conditions that are asked one after the other, up to the one that decides.
  static func inOrder(_ conditions: [SQL], by word: StaticString) -> SQL {
    guard let last = conditions.last, conditions.count > 1 else { return conditions.first ?? "1" }
    let isAnd = "\(word)" == "AND"
    var all: SQL = "CASE"
    for condition in conditions.dropLast() {
      all = isAnd ? "\(all) WHEN NOT (\(condition)) THEN 0" : "\(all) WHEN \(condition) THEN 1"
    }
    return "\(all) ELSE \(last) END"
  }
}
