import CSQLite

extension Connection {
  /// Adds an aggregate function to SQL that gives all values of a group as one: whole numbers of eight
  /// bytes, one behind the other, as this machine has them in memory.
  ///
  /// A million keys cost a third less this way than as a million rows: the statement is entered once.
  /// `Statement.withPackedIntegers` lends them. A group whose bytes are more than SQLite's longest value,
  /// a billion, is an error `tooBig`.
  public func addPackingFunction(_ name: String) throws(SQLiteError) {
    let handle = try database.opened()
    let code = sqlite3_create_function_v2(
      handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil, nil,
      { context, _, values in
        guard let value = values?[0] else { return }
        PackedIntegers.append(sqlite3_value_int64(value), in: context)
      },
      { context in PackedIntegers.finish(context) }, nil)
    if code != SQLITE_OK { throw failure(code, sql: nil) }
  }
}

extension Statement {
  /// Lends the whole numbers that a packing function gave.
  public func withPackedIntegers<Result>(
    _ index: Int32, _ body: (UnsafeBufferPointer<Int64>) -> Result
  ) -> Result {
    withBytes(index) { bytes in
      // What the function gave is memory of an allocator, so it is aligned for any value.
      body(bytes.assumingMemoryBound(to: Int64.self))
    }
  }
}

/// What the packing function has gathered, in memory that SQLite gives, zeroed, to each group.
///
/// See https://www.sqlite.org/c3ref/aggregate_context.html
private struct PackedIntegers {
  var start: UnsafeMutablePointer<Int64>?
  var count: Int
  var capacity: Int

  static let capacityMin = 512
  /// From here on room for `capacityLeap` is taken at once.
  static let capacitySmallMax = 65_536
  /// 64 MB, of which the kernel gives what is written to: more than the 32 MB up to which glibc may keep such a
  /// block in its heap (`M_MMAP_THRESHOLD` in mallopt(3)), where growing it copies it, and what it left behind
  /// is given back and fetched again, page by page, with each query.
  static let capacityLeap = 8_388_608

  /// What SQLite's longest value has room for: a billion bytes.
  static let countMax = 125_000_000

  /// Makes room for more; false where there is no memory for it.
  private mutating func grow() -> Bool {
    // Where an address space is narrow, a small step may do where the leap does not.
    let leap = capacity == Self.capacitySmallMax ? [Self.capacityLeap] : []
    for wanted in leap + [max(Self.capacityMin, capacity * 2)] {
      let bytes = UInt64(wanted * MemoryLayout<Int64>.stride)
      guard let grown = sqlite3_realloc64(start, bytes) else { continue }
      start = grown.assumingMemoryBound(to: Int64.self)
      capacity = wanted
      return true
    }
    return false
  }

  static func append(_ number: Int64, in context: OpaquePointer?) {
    let size = Int32(MemoryLayout<PackedIntegers>.stride)
    guard let memory = sqlite3_aggregate_context(context, size) else {
      return sqlite3_result_error_nomem(context)
    }
    let state = memory.assumingMemoryBound(to: PackedIntegers.self)
    if state.pointee.count == state.pointee.capacity {
      guard state.pointee.count < countMax else { return sqlite3_result_error_toobig(context) }
      guard state.pointee.grow() else { return sqlite3_result_error_nomem(context) }
    }
    state.pointee.start?[state.pointee.count] = number
    state.pointee.count += 1
  }

  /// Called once for each group, also after an error: hands the memory on, to be freed.
  static func finish(_ context: OpaquePointer?) {
    // Without a row there is no memory, and none is to be made now.
    guard let memory = sqlite3_aggregate_context(context, 0) else {
      return sqlite3_result_zeroblob(context, 0)
    }
    let state = memory.assumingMemoryBound(to: PackedIntegers.self).pointee
    guard let start = state.start else { return sqlite3_result_zeroblob(context, 0) }
    let bytes = UInt64(state.count * MemoryLayout<Int64>.stride)
    sqlite3_result_blob64(context, start, bytes) { sqlite3_free($0) }
  }
}
