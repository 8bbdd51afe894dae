import StoreFloors

/// The floors as sides of rows.
///
/// A connection is opened before the stopwatch runs. Work that writes is measured with closing it, so
/// that nobody leaves a checkpoint for later.
enum Floors {
  /// The file with all rows that reading floors share.
  static let file = "floor.sqlite"
  /// The same with few rows, for work that must not depend on how many there are.
  static let smallFile = "floor-small.sqlite"

  typealias Side = HeavyRow<Workbench>.Side

  static func fill(_ bench: Workbench) throws { try fill(bench, file, count: bench.rowCount) }

  static func fillSmall(_ bench: Workbench) throws {
    try fill(bench, smallFile, count: Workbench.smallRowCount)
  }

  private static func fill(_ bench: Workbench, _ name: String, count: Int) throws {
    try bench.fill(name) { path in
      let store = try open(path)
      try FloorFailure.check(floor_insert(store, bench.rows.baseAddress, Int64(count)))
      try FloorFailure.check(floor_close(store))
    }
  }

  static func insert(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try bench.withFreshFile { path in
      let store = try open(path)
      try watch.measure {
        try FloorFailure.check(floor_insert(store, bench.rows.baseAddress, Int64(bench.rowCount)))
        try FloorFailure.check(floor_close(store))
      }
      return try count(path)
    }
  }

  static func singleTransactions(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try bench.withFreshFile { path in
      let store = try open(path)
      let count = Int64(bench.transactionCount)
      try watch.measure {
        try FloorFailure.check(floor_single_transactions(store, bench.rows.baseAddress, count))
        try FloorFailure.check(floor_close(store))
      }
      return try self.count(path)
    }
  }

  static func fetch(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try withStore(bench.path(file)) { store in
      let objects = try watch.measure { try fetched(store) }
      defer { floor_release(objects) }
      return floor_checksum(objects)
    }
  }

  static func release(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try withStore(bench.path(file)) { store in
      let objects = try fetched(store)
      let sum = floor_checksum(objects)
      watch.measure { floor_release(objects) }
      return sum
    }
  }

  static func lookUps(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try withStore(bench.path(file)) { store in
      try watch.measure {
        var sum: Int64 = 0
        try FloorFailure.check(
          floor_lookups_in_one_transaction(
            store, bench.keys.baseAddress, Int64(bench.keys.count), &sum))
        return sum
      }
    }
  }

  static func identifiers(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try withStore(bench.path(file)) { store in
      try watch.measure {
        var identifiers: UnsafeMutablePointer<Int64>?
        var count: Int64 = 0
        try FloorFailure.check(floor_identifiers(store, &identifiers, &count))
        floor_free(identifiers)
        return count
      }
    }
  }

  /// A count with one of the counting statements; `bound` is its parameter, if it takes one.
  static func count(
    _ statement: floor_sql_name, bound: @escaping (Workbench) -> Double = { _ in 0 }
  ) -> Side {
    { bench, watch in
      try withStore(bench.path(file)) { store in
        try watch.measure {
          var count: Int64 = 0
          try FloorFailure.check(floor_count(store, statement, bound(bench), &count))
          return count
        }
      }
    }
  }

  /// Adds a column to a copy of the file `name`.
  static func addColumn(to name: String) -> Side {
    { bench, watch in
      try bench.withCopy(of: name) { path in
        try watch.measure { try FloorFailure.check(floor_add_column(path, Workbench.settings)) }
        return 1
      }
    }
  }

  /// The text of one of the floors' statements.
  static func sql(_ name: floor_sql_name) -> String {
    floor_sql(name).map { String(cString: $0) } ?? ""
  }

  /// How many rows the file at `path` has.
  static func count(_ path: String) throws -> Int64 {
    try withStore(path) { store in
      var count: Int64 = 0
      try FloorFailure.check(floor_count(store, FLOOR_SQL_COUNT, 0, &count))
      return count
    }
  }

  private static func fetched(_ store: OpaquePointer) throws -> OpaquePointer {
    var objects: OpaquePointer?
    let code = floor_fetch(store, &objects)
    guard code == 0, let objects else {
      if let objects { floor_release(objects) }
      throw FloorFailure(code: code)
    }
    return objects
  }

  private static func withStore<Result>(
    _ path: String, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    let store = try open(path)
    let result = try body(store)
    try FloorFailure.check(floor_close(store))
    return result
  }

  private static func open(_ path: String) throws -> OpaquePointer {
    var store: OpaquePointer?
    let code = floor_open(path, Workbench.settings, &store)
    guard code == 0, let store else { throw FloorFailure(code: code) }
    return store
  }
}
