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
      let compare = collation.compare
      try addCollation(collation.name) { left, right in
        compare(String(left), String(right))
      }
    }
  }
}

extension String {
  /// The text with these bytes of UTF-8.
  fileprivate init(_ bytes: Span<UInt8>) {
    self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
