import DataModel
import FoundationEssentials
import SQLiteDriver

/// Reads history page by page: it remembers how far it came, so that nothing is open between pages.
struct HistoryPages {
  /// The most transactions in a page, since those without changes of their own take memory too.
  static let transactionsMax = 1000

  let store: Store
  let plan: HistoryPlan
  let holdsChanges: Bool
  private var names: HistoryNames
  private var remaining: Int
  private var lastDone: Int64?
  /// The transaction that was not finished, the row of changes to go on with, and how many objects of
  /// its run were handed out.
  private var open: (header: HistoryWalk.Header, row: Int64, offset: Int64)?
  private(set) var isAtEnd = false

  init(_ store: Store, _ plan: HistoryPlan, holdsChanges: Bool) {
    self.store = store
    self.plan = plan
    self.holdsChanges = holdsChanges
    names = HistoryNames(store.layout.catalogue)
    remaining = plan.limit ?? .max
  }

  /// The next transactions, with `changesMax` changes at most; the last one may go on in the next page.
  mutating func next(_ connection: Connection, changesMax: Int) throws -> [HistoryTransaction] {
    var page: [HistoryTransaction] = []
    var room = max(1, changesMax)
    if let open {
      page.append(try transaction(open.header, open.row, open.offset, &room, connection))
    }
    if room > 0 && self.open == nil && remaining > 0 {
      var isFull = false
      let walk = HistoryWalk(plan: plan, connection: connection)
      try walk.transactions(after: lastDone) { header in
        page.append(try transaction(header, header.firstChange, 0, &room, connection))
        isFull = room == 0 || open != nil || page.count >= Self.transactionsMax
        return isFull || remaining == 0 ? .stop : .more
      }
      if !isFull { isAtEnd = true }
    }
    if remaining == 0 && self.open == nil { isAtEnd = true }
    return page
  }

  private mutating func transaction(
    _ header: HistoryWalk.Header, _ row: Int64, _ offset: Int64, _ room: inout Int,
    _ connection: Connection
  ) throws -> HistoryTransaction {
    var result = HistoryTransaction(
      store: store.identifier, number: header.number, time: header.time, author: header.author,
      process: header.process, changeCount: header.changeCount, changes: [])
    open = nil
    if holdsChanges {
      let walk = HistoryWalk(plan: plan, connection: connection)
      var handedOut = offset
      try walk.changes(of: header, from: row) { statement in
        guard room > 0 else {
          open = (header, statement.integer(ChangeColumn.number), handedOut)
          return .stop
        }
        let part = walk.part(of: statement)
        let count = min(part.count - handedOut, Int64(room))
        try append(
          statement, part.offset + handedOut, count, header.number, connection, to: &result)
        room -= Int(count)
        handedOut += count
        if handedOut < part.count {
          open = (header, statement.integer(ChangeColumn.number), handedOut)
          return .stop
        }
        handedOut = 0
        return .more
      }
    }
    result.isContinued = open != nil
    if open == nil {
      lastDone = header.number
      remaining -= 1
    }
    return result
  }

  /// Adds `count` changes of a row, those of a run each by itself.
  private mutating func append(
    _ statement: Statement, _ offset: Int64, _ count: Int64, _ transaction: Int64,
    _ connection: Connection, to result: inout HistoryTransaction
  ) throws {
    guard let kind = ChangeKind(rawValue: statement.integer(ChangeColumn.kind)) else {
      throw StoreError(
        .corrupt, "change \(statement.integer(ChangeColumn.number))",
        "is of a kind that this version of Contrail does not know")
    }
    let entity = try names.entity(
      Int(clamping: statement.integer(ChangeColumn.entity)), connection)
    let number = statement.integer(ChangeColumn.number)
    let key = statement.integer(ChangeColumn.key)
    var properties: [HistoryName] = []
    if kind == .update {
      for number in PropertyList.numbers(statement.bytes(ChangeColumn.properties)) {
        properties.append(try names.property(number, connection))
      }
    }
    var tombstone: HistoryTombstone?
    if kind == .delete {
      var values: [String: FieldValue] = [:]
      for (number, value) in Tombstone.values(statement.bytes(ChangeColumn.tombstone)) {
        values[try names.property(number, connection).name] = value
      }
      tombstone = HistoryTombstone(
        identity: ObjectIdentity(store: store.identifier, entity: entity.name, key: key),
        values: values)
    }
    for step in offset..<offset + count {
      result.changes.append(
        HistoryChange(
          number: number + step, transaction: transaction, kind: kind, entity: entity,
          store: store.identifier, key: key + step, updatedProperties: properties,
          tombstone: tombstone))
    }
  }
}
