internal import Foundation
package import SQLiteDriver

extension Store {
  /// Takes away all objects and all history; schema, identity, facts, and who reads history stay.
  ///
  /// Keys and numbers of transactions are never given again, so that whoever held on to one does not
  /// take something new for it. Open contexts find that their objects are gone.
  public func erase() throws { try erase { _ in } }

  /// The same, and with it what `also` does, in one transaction.
  package func erase(_ also: (Connection) throws -> Void) throws {
    let deliveries = try gate.write { _ in
      // What the writer remembers of history is of no use afterwards, whether or not this succeeds.
      defer { cache.forgetFacts() }
      let number = try write { transaction in
        try erase(transaction)
        try also(transaction.connection)
        return transaction.number + 1
      }
      var changes = ChangeSet(transaction: number, author: nil)
      changes.isUnknown = true
      return hub.deliver(changes, from: nil)
    }
    // Values that lie beside the store are noted as unused by the deletions, and go when nobody can
    // need them any more: someone may be saving new ones already.
    for delivery in deliveries { delivery.finish() }
  }

  private func erase(_ transaction: WriteTransaction) throws {
    let connection = transaction.connection
    for table in StoreImage.objectTables(layout) {
      try connection.execute("DELETE FROM \(quoted(table.name))")
    }
    // History goes on behind its last number: one transaction without changes keeps the place. The number
    // before it is missing, so that whoever has read all finds that what it read is gone.
    let mark = try connection.prepare(
      """
      INSERT INTO contrail_transaction (number, time, first_change, change_count) \
      SELECT ?1, ?2, max(first_change + change_count) + 1, 0 FROM contrail_transaction \
      HAVING count(*) > 0
      """)
    mark.bind(1, transaction.number + 1)
    mark.bind(2, environment.now().timeIntervalSinceReferenceDate)
    try mark.run()
    let forget = try connection.prepare("DELETE FROM contrail_transaction WHERE number < ?1")
    forget.bind(1, transaction.number + 1)
    try forget.run()
    try connection.execute("DELETE FROM contrail_change")
    try connection.execute("DELETE FROM contrail_name")
  }
}
