extension Connection {
  /// How SQLite would run a statement: the lines of EXPLAIN QUERY PLAN, each indented by its depth.
  public func queryPlan(of sql: String) throws(SQLiteError) -> [String] {
    let plan = try prepare("EXPLAIN QUERY PLAN " + sql)
    var depths: [Int64: Int] = [:]
    var lines: [String] = []
    while try plan.step() {
      let depth = depths[plan.integer(1)].map { $0 + 1 } ?? 0
      depths[plan.integer(0)] = depth
      lines.append(String(repeating: "  ", count: depth) + plan.text(3))
    }
    return lines
  }
}
