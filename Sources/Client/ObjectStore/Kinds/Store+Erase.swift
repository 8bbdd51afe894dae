internal import Foundation
internal import SQLiteDriver

extension Store {
  /// Takes away all objects and all history; schema, identity, facts, and who reads history stay.
  ///
  /// Keys and numbers of transactions are never given again, so that whoever held on to one does not
  /// take something new for it. Open contexts find that their objects are gone.
  public func erase() throws {
    let wakes = try gate.write { _ in
      // What the writer remembers of history is of no use afterwards, whether or not this succeeds.
      defer { cache.forgetFacts() }
      let number = try write { transaction in
        try erase(transaction)
        return transaction.number
      }
      var changes = ChangeSet(transaction: number, author: nil)
      changes.isUnknown = true
      return hub.deliver(changes, from: nil)
    }
    for wake in wakes { wake() }
    // Values that lie beside the store belong to objects that are gone.
    if let path = location.path {
      try? FileManager.default.removeItem(atPath: StoreFile.valuesFolder(path))
    }
  }

  private func erase(_ transaction: WriteTransaction) throws {
    let connection = transaction.connection
    for table in StoreImage.objectTables(layout) {
      try connection.execute("DELETE FROM \(quoted(table.name))")
    }
    // History goes on behind its last number: one transaction without changes keeps the place.
    let mark = try connection.prepare(
      """
      INSERT INTO contrail_transaction (number, time, first_change, change_count) \
      SELECT ?1, ?2, max(first_change + change_count), 0 FROM contrail_transaction \
      HAVING count(*) > 0
      """)
    mark.bind(1, transaction.number)
    mark.bind(2, environment.now().timeIntervalSinceReferenceDate)
    try mark.run()
    let forget = try connection.prepare("DELETE FROM contrail_transaction WHERE number < ?1")
    forget.bind(1, transaction.number)
    try forget.run()
    try connection.execute("DELETE FROM contrail_change")
    try connection.execute("DELETE FROM contrail_name")
  }
}
