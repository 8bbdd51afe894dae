import SQLiteDriver

/// The file of a store that is read whole, as bytes: what tests and fuzzers put in.
package enum StoreBytes {
  /// Reads the bytes of a binary or XML store as opening one does, and writes them again.
  package static func rewritten(_ bytes: [UInt8], as kind: StoreKind) throws -> [UInt8] {
    let connection = try Connection(.memory)
    try ImageLoading(connection: connection, subject: "file").load(
      kind == .xml
        ? XMLStoreReader.contents(of: bytes, subject: "file")
        : BinaryReader.contents(of: bytes, subject: "file"))
    return try AtomicFile.bytes(of: connection, as: kind, subject: "file")
  }
}
