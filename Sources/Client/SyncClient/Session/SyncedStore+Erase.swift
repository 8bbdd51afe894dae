public import ObjectStore
import SQLiteDriver

extension Store {
  /// Takes away all objects, and what sync remembers of them: nothing is deleted on the server, and the
  /// next sync reads everything again, as on a new device.
  ///
  /// What was not sent is lost. Throws `busy` while an engine has the store, in whichever process.
  public func eraseSynced() throws {
    try withExtendedLifetime(SyncLease(location)) {
      // In one transaction: objects that sync knew nothing of would be sent as new, and what it remembers of
      // objects that are gone would keep them from coming again.
      try erase { connection in
        try SyncTables.drop(connection)
        try connection.removeReader(SyncSetup.readerName)
      }
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
