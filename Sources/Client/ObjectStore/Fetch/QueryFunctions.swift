import PredicateSQL
import SQLiteDriver

extension Connection {
  /// Teaches the connection what queries call.
  func addQueryFunctions() throws(SQLiteError) {
    for function in SQLFunction.rows {
      try addFunction(
        function.name, argumentCount: Int32(clamping: function.argumentCount),
        isDeterministic: function.isDeterministic, function.body)
    }
    for collation in SQLCollation.rows {
      try addCollation(collation.name, collation.compare)
    }
    try addPackingFunction(SQLFunctionName.packed)
  }
}

/// Names of functions that fetches call besides those of `SQLFunction`.
enum SQLFunctionName {
  /// Gives all keys as one value.
  static let packed = "contrail_packed"
}
