public import ObjectStore
import SQLiteDriver

extension Store {
  /// Takes away all objects, and what sync remembers of them: nothing is deleted on the server, and the
  /// next sync reads everything again, as on a new device.
  ///
  /// What was not sent is lost. Throws `busy` while an engine has the store, in whichever process.
  public func eraseSynced() throws {
    try withExtendedLifetime(SyncLease(location)) {
      // In this order: objects that sync knew nothing of would be sent as new.
      try erase()
      guard try readRows({ try SyncTables.areThere($0) }) else { return }
      try write(author: SyncAuthor.name) { transaction in
        try SyncTables.drop(transaction.connection)
      }
      try removeReader(SyncSetup.readerName)
    }
  }
}

extension SyncTables {
  fileprivate static func drop(_ connection: Connection) throws {
    let names = try connection.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'contrail_sync*'")
    var found: [String] = []
    while try names.step() { found.append(names.text(0)) }
    names.reset()
    for name in found { try connection.execute("DROP TABLE \"\(name)\"") }
  }
}
