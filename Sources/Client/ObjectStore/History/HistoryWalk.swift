import DataModel
import FoundationEssentials
import SQLiteDriver

/// Goes through the rows of history that a plan means; what it hands out is not yet named.
struct HistoryWalk {
  let plan: HistoryPlan
  let connection: Connection

  /// A transaction's row.
  struct Header {
    var number: Int64
    var time: Date
    var author: String?
    var process: String?
    var firstChange: Int64
    var changeCount: Int64
  }

  /// Whether to go on.
  enum Next { case more, stop }

  /// The transactions behind `last`, in the plan's order, or all of them.
  func transactions(after last: Int64?, _ body: (Header) throws -> Next) throws {
    let statement = try connection.statement(plan.transactionSQL)
    defer { statement.reset() }
    let isDown = plan.isNewestFirst
    let from = isDown ? plan.first : last.map { max(plan.first, $0 + 1) } ?? plan.first
    let to = isDown ? last.map { min(plan.last, $0 - 1) } ?? plan.last : plan.last
    statement.bind([.integer(from), .integer(to)] + plan.transactionValues)
    while try statement.step() {
      let header = Header(
        number: statement.integer(0),
        time: Date(timeIntervalSinceReferenceDate: statement.double(1)),
        author: statement.isNull(2) ? nil : statement.text(2),
        process: statement.isNull(3) ? nil : statement.text(3),
        firstChange: statement.integer(4), changeCount: statement.integer(5))
      if try body(header) == .stop { return }
    }
  }

  /// The rows of a transaction's changes that are meant, from the row with number `first` on.
  ///
  /// The statement stands on the row: see `ChangeColumn`.
  func changes(
    of header: Header, from first: Int64, _ body: (Statement) throws -> Next
  ) throws {
    let statement = try connection.statement(plan.changeSQL)
    defer { statement.reset() }
    statement.bind(1, first)
    statement.bind(2, header.firstChange &+ header.changeCount)
    while try statement.step() {
      try Self.check(statement, header)
      if try body(statement) == .stop { return }
    }
  }

  /// Throws for a row whose numbers cannot be reckoned with.
  private static func check(_ statement: Statement, _ header: Header) throws(SQLiteError) {
    let (number, key, count) = (
      statement.integer(ChangeColumn.number), statement.integer(ChangeColumn.key),
      statement.integer(ChangeColumn.count)
    )
    let believed = 1...HistoryBounds.numberMax
    if believed.contains(number), believed.contains(key), 1...HistoryCheck.runMax ~= count,
      number + count <= header.firstChange &+ header.changeCount
    {
      return
    }
    throw .damagedHistory("change \(statement.integer(ChangeColumn.number))")
  }

  /// The part of a run that is meant: how far its first object is from the run's first, and how many.
  func part(of statement: Statement) -> (offset: Int64, count: Int64) {
    guard let key = plan.key else { return (0, statement.integer(ChangeColumn.count)) }
    return (key - statement.integer(ChangeColumn.key), 1)
  }
}

/// The columns of a row of changes.
enum ChangeColumn {
  static let number: Int32 = 0
  static let kind: Int32 = 1
  static let entity: Int32 = 2
  static let key: Int32 = 3
  static let count: Int32 = 4
  static let properties: Int32 = 5
  static let tombstone: Int32 = 6
}
