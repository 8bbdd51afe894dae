import CSQLite

extension Connection {
  /// Adds an order of texts to SQL, which `compare` gives as in C: negative, zero or positive.
  ///
  /// It sees the texts' UTF-8 where SQLite has it, and has to be an order, as an index relies on it:
  /// `compare(a, b)` and `compare(b, a)` have opposite signs, and what is smaller than something
  /// smaller is smaller.
  public func addCollation(
    _ name: String, _ compare: @escaping @Sendable (Span<UInt8>, Span<UInt8>) -> Int
  ) throws(SQLiteError) {
    let handle = try database.opened()
    if name.isEmpty || name.utf8.contains(0) {
      throw .misuse("not a collation's name: \"\(name)\"")
    }
    let box = Unmanaged.passRetained(CollationBox(compare))
    let code = sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, box.toOpaque(),
      { box, leftCount, left, rightCount, right in
        guard let box else { return 0 }
        let compare = Unmanaged<CollationBox>.fromOpaque(box).takeUnretainedValue().compare
        let order = compare(
          bytes(at: left, count: leftCount).span, bytes(at: right, count: rightCount).span)
        return Int32(order.signum())
      },
      { box in if let box { Unmanaged<CollationBox>.fromOpaque(box).release() } })
    if code != SQLITE_OK {
      // Unlike for functions, SQLite does not release what it refuses:
      // https://www.sqlite.org/c3ref/create_collation.html
      box.release()
      throw failure(code, sql: nil)
    }
  }
}

private final class CollationBox {
  let compare: @Sendable (Span<UInt8>, Span<UInt8>) -> Int

  init(_ compare: @escaping @Sendable (Span<UInt8>, Span<UInt8>) -> Int) { self.compare = compare }
}

private func bytes(at start: UnsafeRawPointer?, count: Int32) -> UnsafeBufferPointer<UInt8> {
  UnsafeBufferPointer(
    start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : Int(count))
}
