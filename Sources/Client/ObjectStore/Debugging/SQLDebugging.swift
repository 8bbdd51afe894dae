import SQLiteDriver

extension Debugging {
  /// Begins to tell what `connection` does; for level 0 the connection is left as it is.
  func watch(_ connection: Connection) {
    guard sqlLevel > 0 else { return }
    connection.reportsValues = sqlLevel > 1
    let debugging = self
    // The connection owns the closure: it must not own the connection in turn.
    connection.onStatement = { [weak connection] report in
      debugging.tell(report, connection)
    }
  }

  private func tell(_ report: StatementReport, _ connection: Connection?) {
    var lines = ["\(Self.milliseconds(report.nanoseconds)) ms, \(report.rows) rows: \(report.sql)"]
    if sqlLevel > 2 {
      lines.append(
        "  \(report.scannedRows) rows without an index, \(report.sorts) sorts, "
          + "\(report.indexedRows) rows indexed for this once")
    }
    if sqlLevel > 3, let plan = try? connection?.queryPlan(of: report.sql) {
      lines += plan.map { "  " + $0 }
    }
    for line in lines { write("contrail sql: \(line)") }
  }

  /// Thousandths of a millisecond, as "0.412".
  private static func milliseconds(_ nanoseconds: Int64) -> String {
    let thousandths = nanoseconds / 1000
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
