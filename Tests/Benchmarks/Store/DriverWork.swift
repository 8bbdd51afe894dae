import SQLiteDriver
import StoreFloors

/// The work of the floors through `SQLiteDriver`: what Swift and the driver cost before a store is
/// built on them.
enum DriverWork {
  typealias Side = HeavyRow<Workbench>.Side

  static func insert(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let items = bench.items
    return try bench.withFreshFile { path in
      var connection: Connection? = try open(path)
      try watch.measure {
        try connection?.transaction(Floors.sql(FLOOR_SQL_INSERT)) { insert in
          for (index, item) in items.enumerated() {
            item.bind(to: insert, key: Int64(index + 1))
            try insert.run()
          }
        }
        connection = nil
      }
      return try Floors.count(path)
    }
  }

  static func singleTransactions(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let items = bench.items.prefix(bench.transactionCount)
    return try bench.withFreshFile { path in
      var connection: Connection? = try open(path)
      try watch.measure {
        if let connection { try insertOneByOne(items, on: connection) }
        connection = nil
      }
      return try Floors.count(path)
    }
  }

  static func fetch(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let connection = try open(bench.path(Floors.file))
    let items = try watch.measure { try fetched(connection) }
    return items.reduce(0) { $0 + $1.checksum }
  }

  static func release(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let connection = try open(bench.path(Floors.file))
    var items = try fetched(connection)
    let sum = items.reduce(0) { $0 + $1.checksum }
    watch.measure { items = [] }
    return sum
  }

  static func lookUps(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let connection = try open(bench.path(Floors.file))
    return try watch.measure {
      try connection.execute("BEGIN")
      let statement = try connection.statement(Floors.sql(FLOOR_SQL_LOOK_UP))
      var sum: Int64 = 0
      for key in bench.keys {
        statement.bind(1, key)
        if try statement.step() { sum += SampleItem(statement).checksum }
        statement.reset()
      }
      try connection.execute(Floors.sql(FLOOR_SQL_COMMIT))
      return sum
    }
  }

  static func identifiers(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let connection = try open(bench.path(Floors.file))
    return try watch.measure {
      let statement = try connection.statement(Floors.sql(FLOOR_SQL_IDENTIFIERS))
      var identifiers: [Int64] = []
      while try statement.step() { identifiers.append(statement.integer(0)) }
      return Int64(identifiers.count)
    }
  }

  /// A count with one of the counting statements; `bound` is its parameter, if it takes one.
  static func count(
    _ name: floor_sql_name, bound: @escaping (Workbench) -> Double = { _ in 0 }
  ) -> Side {
    { bench, watch in
      let connection = try open(bench.path(Floors.file))
      return try watch.measure {
        let statement = try connection.statement(Floors.sql(name))
        if statement.parameterCount > 0 { statement.bind(1, bound(bench)) }
        let count = try statement.step() ? statement.integer(0) : 0
        statement.reset()
        return count
      }
    }
  }

  /// Adds a column to a copy of the file `name`; sees 1 when the column is there.
  static func addColumn(to name: String) -> Side {
    { bench, watch in
      try bench.withCopy(of: name) { path in
        try watch.measure {
          let connection = try open(path)
          try connection.execute(Floors.sql(FLOOR_SQL_BEGIN))
          try connection.execute(Floors.sql(FLOOR_SQL_ADD_COLUMN))
          try connection.execute(Floors.sql(FLOOR_SQL_COMMIT))
        }
        let statement = try Connection(.file(path)).prepare(
          "SELECT COUNT(*) FROM pragma_table_info('Item') WHERE name = 'added'")
        return try statement.step() ? statement.integer(0) : 0
      }
    }
  }

  private static func fetched(_ connection: Connection) throws -> [SampleItem] {
    let statement = try connection.statement(Floors.sql(FLOOR_SQL_FETCH))
    var items: [SampleItem] = []
    while try statement.step() { items.append(SampleItem(statement)) }
    return items
  }

  /// A transaction for each item, with a row for the change and one for the transaction.
  private static func insertOneByOne(
    _ items: ArraySlice<SampleItem>, on connection: Connection
  ) throws {
    let begin = try connection.statement(Floors.sql(FLOOR_SQL_BEGIN))
    let commit = try connection.statement(Floors.sql(FLOOR_SQL_COMMIT))
    let insert = try connection.statement(Floors.sql(FLOOR_SQL_INSERT))
    let change = try connection.statement(Floors.sql(FLOOR_SQL_INSERT_CHANGE))
    let transaction = try connection.statement(Floors.sql(FLOOR_SQL_INSERT_TRANSACTION))
    var number: Int64 = 0
    for item in items {
      number += 1
      try begin.run()
      item.bind(to: insert, key: number)
      try insert.run()
      change.bind(1, number)
      change.bind(2, Int64(0))
      change.bind(3, Int64(1))
      change.bind(4, number)
      try change.run()
      transaction.bind(1, number)
      transaction.bind(2, item.created)
      transaction.bind(3, "author")
      transaction.bind(4, "bench")
      try transaction.run()
      try commit.run()
    }
  }

  private static func open(_ path: String) throws -> Connection {
    let connection = try Connection(.file(path))
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA cache_size = -\(Workbench.settings.cache_kib);
      PRAGMA wal_autocheckpoint = \(Workbench.settings.checkpoint_pages)
      """)
    try connection.execute(Floors.sql(FLOOR_SQL_CREATE))
    return connection
  }
}

extension Connection {
  /// Runs `body` with the statement of the text `sql`, in one transaction.
  fileprivate func transaction(_ sql: String, _ body: (Statement) throws -> Void) throws {
    let statement = try statement(sql)
    try execute(Floors.sql(FLOOR_SQL_BEGIN))
    try body(statement)
    try execute(Floors.sql(FLOOR_SQL_COMMIT))
  }
}
