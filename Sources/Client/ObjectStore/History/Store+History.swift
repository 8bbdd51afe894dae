public import DataModel
import SQLiteDriver

extension Store {
  /// The place behind the newest transaction.
  public func historyToken() throws -> HistoryToken {
    try read { connection in
      HistoryToken(
        store: identifier, transaction: try HistoryBounds.read(connection).newest)
    }
  }

  /// The transactions that `request` asks for, with the changes that it asks for.
  ///
  /// All of them are in memory at once: `forEachHistoryPage` is for much history.
  public func history(_ request: HistoryRequest = HistoryRequest()) throws -> [HistoryTransaction] {
    try transactions(request, holdsChanges: true)
  }

  /// The transactions that `request` asks for, without their changes.
  public func historyTransactions(
    _ request: HistoryRequest = HistoryRequest()
  ) throws -> [HistoryTransaction] {
    try transactions(request, holdsChanges: false)
  }

  /// The changes that `request` asks for, one transaction's after the other's.
  public func historyChanges(
    _ request: HistoryRequest = HistoryRequest()
  ) throws -> [HistoryChange] {
    try history(request).flatMap(\.changes)
  }

  /// The objects that have changes that `request` asks for, each once, in the order in which history
  /// first names them.
  public func historyIdentities(
    _ request: HistoryRequest = HistoryRequest()
  ) throws -> [ObjectIdentity] {
    var seen: Set<ObjectKey> = []
    var identities: [ObjectIdentity] = []
    var names = HistoryNames(layout.catalogue)
    try walk(request) { walk, _, statement in
      let entity = Int(clamping: statement.integer(ChangeColumn.entity))
      let name = try names.entity(entity, walk.connection).name
      let part = walk.part(of: statement)
      let first = statement.integer(ChangeColumn.key) + part.offset
      let origin = ObjectOrigin(store: identifier, entity: name)
      for key in first..<first + part.count
      where seen.insert(ObjectKey(entity: entity, key: key)).inserted {
        identities.append(ObjectIdentity(origin, key: key))
      }
    }
    return identities
  }

  /// How many transactions and changes `request` asks for.
  public func historyCount(_ request: HistoryRequest = HistoryRequest()) throws -> HistoryCount {
    var count = HistoryCount(transactions: 0, changes: 0)
    var last: Int64?
    try walk(request) { walk, header, statement in
      if header.number != last { count.transactions += 1 }
      last = header.number
      count.changes += walk.part(of: statement).count
    }
    return count
  }

  /// How many changes a page of history has unless the caller says otherwise.
  public static let historyPageChanges = 1000

  /// Hands the history that `request` asks for to `body` page by page, with `changesMax` changes in
  /// memory at most.
  ///
  /// A transaction that is larger than a page is handed out in parts: all but the last are marked as
  /// continued. What is committed meanwhile is not part of it. Nothing is locked while `body` runs, so
  /// it may write to the store; should what is still to come be purged meanwhile, `historyExpired` is
  /// thrown.
  public func forEachHistoryPage(
    _ request: HistoryRequest = HistoryRequest(), changesMax: Int = historyPageChanges,
    _ body: ([HistoryTransaction]) throws -> Void
  ) throws {
    var pages = try read { connection in
      HistoryPages(
        self, try HistoryPlan(request, self, HistoryBounds.read(connection)), holdsChanges: true)
    }
    var position: Int64?
    while !pages.isAtEnd {
      let page = try read { connection in
        try connection.snapshot {
          try checkNotPurged(pages.plan, after: position, connection)
          return try pages.next(connection, changesMax: changesMax)
        }
      }
      if let last = page.last {
        position = last.isContinued ? last.number - 1 : last.number
        try body(page)
      }
    }
  }

  /// Throws when transactions that are still to be read were purged since the plan was made.
  private func checkNotPurged(
    _ plan: HistoryPlan, after position: Int64?, _ connection: Connection
  ) throws {
    let oldest = try HistoryBounds.read(connection).oldest
    let next = plan.isNewestFirst ? plan.first : max(plan.first, (position ?? 0) + 1)
    let isDone = plan.isNewestFirst && position.map { $0 < plan.first } ?? false
    guard next < oldest, plan.first <= plan.last, !isDone else { return }
    throw StoreError(
      .historyExpired, "transaction \(next)",
      "was purged while history was read; the oldest known transaction is \(oldest)",
      fix: "read all objects again, and go on from the store's present token")
  }

  private struct ObjectKey: Hashable {
    var entity: Int
    var key: Int64
  }

  private func transactions(
    _ request: HistoryRequest, holdsChanges: Bool
  ) throws -> [HistoryTransaction] {
    try read { connection in
      try connection.snapshot {
        let plan = try HistoryPlan(request, self, HistoryBounds.read(connection))
        var pages = HistoryPages(self, plan, holdsChanges: holdsChanges)
        var result: [HistoryTransaction] = []
        while !pages.isAtEnd { result += try pages.next(connection, changesMax: .max) }
        return result
      }
    }
  }

  /// Calls `body` for each row of changes that `request` asks for.
  private func walk(
    _ request: HistoryRequest,
    _ body: (HistoryWalk, HistoryWalk.Header, Statement) throws -> Void
  ) throws {
    try read { connection in
      try connection.snapshot {
        let plan = try HistoryPlan(request, self, HistoryBounds.read(connection))
        let walk = HistoryWalk(plan: plan, connection: connection)
        var remaining = plan.limit ?? .max
        if remaining == 0 { return }
        try walk.transactions(after: nil) { header in
          try walk.changes(of: header, from: header.firstChange) { statement in
            try body(walk, header, statement)
            return .more
          }
          remaining -= 1
          return remaining == 0 ? .stop : .more
        }
      }
    }
  }
}
