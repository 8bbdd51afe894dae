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
  }
}
