public import ObjectStore
import RecordWire
import SQLiteDriver
public import SyncCore

/// How a store stands to its record server.
public struct SyncStatus: Hashable, Sendable {
  /// Where the records are.
  public var server: String
  /// The container.
  public var container: String
  /// The container's environment.
  public var environment: String
  /// The zone.
  public var zone: String
  /// Records that the server has confirmed.
  public var records: Int
  /// Changes that are still to be sent; before the first pass, objects that were there before sync too.
  public var pending: Int
  /// When the oldest of them was made, in milliseconds since 1970; nil where nobody knows.
  public var oldestPending: Int64?
  /// Changes that wait for a promotion.
  public var parked: Int
  /// What production lacks of them, as `Entry.remarks`.
  public var lacks: [String]
  /// Changes that somebody has to do something about.
  public var failed: Int
  /// Files that records have and objects have not yet.
  public var awaitedFiles: Int
  /// Those of them that do not come, though they were tried often.
  public var missingFiles: Int
  /// When everything was exchanged last, in milliseconds since 1970; nil for never.
  public var lastSuccess: Int64?
  /// What a policy has to decide; nil for nothing.
  public var trouble: Trouble?
  /// What keeps passes from coming to their end; nil for nothing.
  public var obstacle: SyncObstacle?
  /// How many of the changes that are to be sent were put off, since the server did not take them.
  public var postponed: Int
  /// What was said of the last of them; nil for nothing.
  public var postponedReason: String?
  /// Whether a pass is under way in this engine.
  public var isRunning: Bool
  /// When a pass that waits in this engine goes on, in milliseconds since 1970; nil where none waits.
  public var waitingUntil: Int64?

  /// Whether nothing is left to be exchanged or decided, and nothing stands in the way, as far as is known here.
  public var isIdle: Bool {
    pending == 0 && parked == 0 && failed == 0 && awaitedFiles == 0 && trouble == nil
      && obstacle == nil
  }
}

extension SyncStatus {
  /// How a store stands; throws `notSetUp` for one that is not synced.
  public static func read(
    _ store: Store, isRunning: Bool = false, waitingUntil: Int64? = nil
  ) throws -> SyncStatus {
    try store.readRows { connection in
      guard try SyncTables.areThere(connection) else {
        throw SyncError(
          .notSetUp, "the store", "is not synced", fix: "set it up: syncctl init STORE --server URL"
        )
      }
      var status = try SyncStatus(
        SyncRows(connection: connection), store.layout, isRunning: isRunning)
      status.waitingUntil = waitingUntil
      return status
    }
  }

  private init(_ rows: SyncRows, _ layout: StoreLayout, isRunning: Bool) throws {
    server = try rows.text(.server) ?? ""
    container = try rows.text(.container) ?? ""
    environment = try rows.text(.environment) ?? ""
    zone = try rows.zones().first?.identity.name ?? ""
    // The sums of the digests count the bases, which are many and large.
    records = Int(clamping: try rows.integer("SELECT sum(count) FROM contrail_sync_bucket") ?? 0)
    func count(_ state: ChangeRow.State) throws -> Int {
      Int(
        clamping: try rows.integer(
          "SELECT sum(count) FROM contrail_sync_change WHERE state = ?1", state.rawValue) ?? 0)
    }
    let unread = try rows.unreadHistory()
    let before = try rows.backfillCount(layout)
    pending = try count(.pending) + Int(clamping: unread.count) + Int(clamping: before)
    oldestPending = try [
      rows.integer("SELECT min(time) FROM contrail_sync_change WHERE state = 0"), unread.oldest,
    ]
    .compactMap { $0 }.min()
    parked = try count(.parked)
    failed = try count(.failed)
    lacks = try rows.lackNames()
    let files = try FileTables.areThere(rows.connection) ? rows.countAwaitedFiles() : (0, 0)
    (awaitedFiles, missingFiles) = (Int(clamping: files.0), Int(clamping: files.1))
    lastSuccess = try rows.integer(.lastSuccess)
    trouble = try rows.text(.trouble).flatMap(Trouble.init(rawValue:))
    obstacle = try rows.obstacle()
    (postponed, postponedReason) = try rows.postponedChanges()
    self.isRunning = isRunning
  }
}

extension SyncRows {
  /// Changes in history that were not taken into the outbox yet, and when the oldest was made.
  func unreadHistory() throws -> (count: Int64, oldest: Int64?) {
    let cursor = HistoryCursor(
      transaction: try integer(.cursorTransaction) ?? 0, change: try integer(.cursorChange) ?? 0)
    var count: Int64 = 0
    var oldest: Int64?
    _ = try connection.readHistory(from: cursor, objectsMax: .max) { run in
      guard run.author != SyncAuthor.name, run.author != Store.migrationAuthor else { return }
      count += run.count
      oldest = min(oldest ?? .max, run.time.milliseconds)
    }
    return (count, oldest)
  }

  /// How many pending changes the server has refused so far, and what it said of the one tried last.
  func postponedChanges() throws(SQLiteError) -> (count: Int, reason: String?) {
    let statement = try connection.statement(
      """
      SELECT reason, (SELECT sum(count) FROM contrail_sync_change WHERE state = 0 AND retry > 0) \
      FROM contrail_sync_change WHERE state = 0 AND retry > 0 ORDER BY retry DESC LIMIT 1
      """)
    defer { statement.reset() }
    guard try statement.step() else { return (0, nil) }
    return (
      Int(clamping: statement.integer(1)), statement.isNull(0) ? nil : statement.text(0)
    )
  }

  /// What production lacks, as `Entry.remarks`, or `Entry` for a type.
  func lackNames() throws(SQLiteError) -> [String] {
    let statement = try connection.statement(
      "SELECT type, field FROM contrail_sync_lack ORDER BY type, field")
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() {
      let field = statement.text(1)
      names.append(field.isEmpty ? statement.text(0) : "\(statement.text(0)).\(field)")
    }
    return names
  }
}
