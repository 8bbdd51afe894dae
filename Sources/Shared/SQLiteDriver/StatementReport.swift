import CSQLite

/// What one run of a statement cost.
public struct StatementReport: Hashable, Sendable {
  /// The statement's text, with its values in place if `Connection.reportsValues` is set.
  public var sql: String
  /// The time spent in SQLite, without what the caller did between rows.
  public var nanoseconds: Int64
  /// How many rows it returned.
  public var rows: Int
  /// How many rows were looked at without the help of an index.
  public var scannedRows: Int
  /// How many sorts were done that no index spared.
  public var sorts: Int
  /// How many rows were put into indexes made for this run alone.
  public var indexedRows: Int
}

extension Connection {
  /// Called after each run of a statement; nil, the default, costs nothing.
  ///
  /// It may use the connection itself: what it runs is not reported.
  public var onStatement: ((StatementReport) -> Void)? {
    get { database.watch?.body }
    set {
      guard let handle else { return }
      // SQLite lets go of the old watch before it is released: it holds the address alone.
      sqlite3_trace_v2(handle, 0, nil, nil)
      database.watch = nil
      guard let newValue else { return }
      let watch = StatementWatch(newValue, reportsValues: database.reportsValues)
      database.watch = watch
      let events = SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE
      sqlite3_trace_v2(
        handle, UInt32(events),
        { event, watch, statement, _ in
          guard let watch, let statement else { return 0 }
          Unmanaged<StatementWatch>.fromOpaque(watch).takeUnretainedValue()
            .note(Int32(bitPattern: event), OpaquePointer(statement))
          return 0
        }, Unmanaged.passUnretained(watch).toOpaque())
    }
  }

  /// Whether reports show values in place of parameters; for those who may see the data.
  public var reportsValues: Bool {
    get { database.reportsValues }
    set { database.reportsValues = newValue }
  }
}

/// Collects reports within SQLite's callback and hands them on outside of it, where the receiver may
/// use the connection.
///
/// SQLite's own times are whole milliseconds, so the time is taken here.
final class StatementWatch {
  let body: (StatementReport) -> Void
  var reportsValues: Bool
  private var reports: [StatementReport] = []
  private var isDelivering = false
  private var runs: [OpaquePointer: Run] = [:]
  private var current: OpaquePointer?
  private var start: ContinuousClock.Instant?

  /// What is known of a run that has not ended.
  private struct Run {
    var rows = 0
    var time = Duration.zero
  }

  init(_ body: @escaping (StatementReport) -> Void, reportsValues: Bool) {
    self.body = body
    self.reportsValues = reportsValues
  }

  /// Starts the clock of a call that runs `statement`, or of one that runs several, for nil.
  func begin(_ statement: OpaquePointer?) {
    current = statement
    start = ContinuousClock.now
  }

  /// Stops the clock at a row.
  func pause() {
    guard let current, let elapsed = elapsed() else { return }
    runs[current, default: Run()].time += elapsed
  }

  private func elapsed() -> Duration? {
    guard let start else { return nil }
    self.start = nil
    return start.duration(to: ContinuousClock.now)
  }

  /// Takes an event of SQLite, as https://www.sqlite.org/c3ref/c_trace.html lists them.
  func note(_ event: Int32, _ statement: OpaquePointer) {
    if isDelivering {
      if event == SQLITE_TRACE_PROFILE { runs.removeValue(forKey: statement) }
      return
    }
    let isUnderWay = start != nil
    if isUnderWay && current == nil { current = statement }
    // What the full-text index runs within a call is part of that call.
    if isUnderWay && current != statement { return }
    if event == SQLITE_TRACE_ROW { runs[statement, default: Run()].rows += 1 }
    guard event == SQLITE_TRACE_PROFILE else { return }
    var run = runs.removeValue(forKey: statement) ?? Run()
    if let elapsed = elapsed() { run.time += elapsed }
    report(run, of: statement)
    // Where a call runs several statements, the next begins where this one ends.
    if isUnderWay { begin(nil) }
  }

  private func report(_ run: Run, of statement: OpaquePointer) {
    let time = run.time.components
    let sql = text(of: statement)
    if sql.hasPrefix(OpenDatabase.earlyWritesPragma) { return }
    reports.append(
      StatementReport(
        sql: sql,
        nanoseconds: time.seconds * 1_000_000_000 + time.attoseconds / 1_000_000_000,
        rows: run.rows, scannedRows: counter(SQLITE_STMTSTATUS_FULLSCAN_STEP, of: statement),
        sorts: counter(SQLITE_STMTSTATUS_SORT, of: statement),
        indexedRows: counter(SQLITE_STMTSTATUS_AUTOINDEX, of: statement)))
  }

  private func text(of statement: OpaquePointer) -> String {
    if reportsValues, let expanded = sqlite3_expanded_sql(statement) {
      defer { sqlite3_free(expanded) }
      return String(cString: expanded)
    }
    return sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }

  /// Reads a counter and sets it back, so that the next run counts from zero.
  private func counter(_ counter: Int32, of statement: OpaquePointer) -> Int {
    Int(sqlite3_stmt_status(statement, counter, 1))
  }

  /// Hands on what was collected.
  func deliver() {
    start = nil
    current = nil
    if isDelivering || reports.isEmpty { return }
    isDelivering = true
    defer { isDelivering = false }
    let collected = reports
    reports = []
    for report in collected { body(report) }
  }
}
