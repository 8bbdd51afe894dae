import SQLiteDriver

extension Store {
  /// What users of the store have noted down about it, by name.
  public func userFacts() throws -> [String: String] {
    try read { connection in
      let statement = try connection.prepare(
        "SELECT name, value FROM contrail_store WHERE substr(name, 1, ?1) = ?2")
      statement.bind(1, Int64(StoreFacts.Name.userPrefix.count))
      statement.bind(2, StoreFacts.Name.userPrefix)
      var facts: [String: String] = [:]
      while try statement.step() {
        facts[String(statement.text(0).dropFirst(StoreFacts.Name.userPrefix.count))] =
          statement.text(1)
      }
      return facts
    }
  }

  /// Notes something down about the store, or forgets it where `value` is nil; no change in history.
  ///
  /// `Store.facts(at:)` shows it without opening the store.
  public func setUserFact(_ name: String, to value: String?) throws {
    try write { transaction in
      let key = StoreFacts.Name.userPrefix + name
      if let value { return try StoreFacts.write(key, value, transaction.connection) }
      let statement = try transaction.connection.prepare(
        "DELETE FROM contrail_store WHERE name = ?1")
      statement.bind(1, key)
      try statement.run()
    }
  }
}
