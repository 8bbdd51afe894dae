public import RecordWire

extension RecordValue {
  /// Whether two values are the same on the wire.
  ///
  /// Stricter than `==`, for which two spellings of a text are equal, and zero and minus zero: who takes
  /// those for unchanged would never send the change, and digests would differ for ever.
  public func isSame(as other: RecordValue) -> Bool {
    switch (self, other) {
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.list(let a, let type), .list(let b, let otherType)):
      type == otherType && a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.asset(let a), .asset(let b)):
      // The rest is there to fetch the file, and differs each time.
      a.fileChecksum == b.fileChecksum && a.size == b.size
    default: self == other
    }
  }
}
