import DataModel
import Foundation
import SQLiteDriver

/// Removes files of values that no row refers to any longer.
///
/// A value that was overwritten or deleted goes into the table `contrail_unused_value`, in the same
/// transaction, by temporary triggers of the connection that writes: so every way of changing a row is
/// covered, and a rollback takes it back. The file goes some minutes after, since objects that were read
/// before may still want it, and not before the log with the commit is on the disk.
struct ValueCleaning {
  /// How long the file of an unused value is kept for objects that were read before, in seconds.
  static let keptSeconds: Double = 600
  /// How many files are removed behind one commit.
  static let batchMax = 1000

  static let tables = [
    // Files that no row refers to since `time`, in seconds since the reference date.
    "CREATE TABLE contrail_unused_value (name TEXT PRIMARY KEY NOT NULL, time REAL) WITHOUT ROWID",
    "CREATE INDEX contrail_unused_value_time ON contrail_unused_value (time)",
  ]

  let folder: ValueFolder
  let layout: StoreLayout
  let columns: [Column]

  /// A column whose values may be in files.
  struct Column: Hashable, Sendable {
    var table: String
    var name: String
  }

  init?(_ folder: ValueFolder?, _ layout: StoreLayout) {
    var seen: Set<Column> = []
    columns = layout.entities.flatMap { entity in
      entity.externalSlots.compactMap { entity.slots[$0].column }
        .map { Column(table: entity.table, name: $0) }
    }.filter { seen.insert($0).inserted }
    guard let folder, !columns.isEmpty else { return nil }
    self.folder = folder
    self.layout = layout
  }

  /// The triggers of the connection that writes.
  var triggers: [String] {
    columns.enumerated().flatMap { index, column -> [String] in
      let (table, name) = (quoted(column.table), quoted(column.name))
      let drop = """
        INSERT OR IGNORE INTO contrail_unused_value (name) SELECT OLD.\(name) \
        WHERE typeof(OLD.\(name)) = 'text';
        """
      let keep = """
        DELETE FROM contrail_unused_value WHERE name = NEW.\(name) AND typeof(NEW.\(name)) = 'text';
        """
      return [
        """
        CREATE TEMP TRIGGER contrail_value_\(index)_insert AFTER INSERT ON main.\(table) \
        WHEN typeof(NEW.\(name)) = 'text' BEGIN \(keep) END
        """,
        """
        CREATE TEMP TRIGGER contrail_value_\(index)_update AFTER UPDATE OF \(name) ON main.\(table) \
        WHEN OLD.\(name) IS NOT NEW.\(name) BEGIN \(drop) \(keep) END
        """,
        """
        CREATE TEMP TRIGGER contrail_value_\(index)_delete AFTER DELETE ON main.\(table) \
        WHEN typeof(OLD.\(name)) = 'text' BEGIN \(drop) END
        """,
      ]
    }
  }

  /// Within a transaction: notes when its values ceased to be used.
  func stamp(_ connection: Connection, time: Double) throws(SQLiteError) {
    let statement = try connection.statement(
      "UPDATE contrail_unused_value SET time = ?1 WHERE time IS NULL")
    statement.bind(1, time)
    try statement.run()
  }

  /// Between transactions: removes some files that have been unused for long enough.
  func clean(_ connection: Connection, now: Double) throws(SQLiteError) {
    let find = try connection.statement(
      "SELECT name FROM contrail_unused_value WHERE time <= ?1 LIMIT \(Self.batchMax)")
    find.bind(1, now - Self.keptSeconds)
    let hasSome = try find.step()
    find.reset()
    guard hasSome else { return }
    // Commits are not on the disk before a checkpoint. A file must not go while a power failure could
    // still bring back the row that refers to it.
    _ = try connection.checkpoint(.passive)
    // Under the write lock, so that nobody begins to refer to one of them again meanwhile.
    try connection.transaction { () throws(SQLiteError) in
      find.bind(1, now - Self.keptSeconds)
      var names: [String] = []
      while try find.step() { names.append(find.text(0)) }
      find.reset()
      let forget = try connection.statement("DELETE FROM contrail_unused_value WHERE name = ?1")
      for name in names {
        folder.remove(name)
        forget.bind(1, name)
        try forget.run()
      }
    }
  }

  /// Looks after files whose transactions ended without a word: those that a row refers to get
  /// their place, the others go.
  ///
  /// Under the write lock nobody is between writing a file and committing.
  func sweepNew(_ connection: Connection) throws(SQLiteError) {
    if folder.newNames.isEmpty { return }
    try connection.transaction { () throws(SQLiteError) in
      let names = folder.newNames
      let used = try ValueReferences(folder, layout).found(names, connection)
      for name in names {
        if used.contains(name) { folder.settle(name) } else { folder.discard(name) }
      }
    }
  }

}

/// Which files of values rows refer to, whatever becomes of them.
struct ValueReferences {
  let folder: ValueFolder
  /// Every column of bytes: one whose attribute asks for files no longer may still name some.
  let columns: [ValueCleaning.Column]

  init(_ folder: ValueFolder, _ layout: StoreLayout) {
    self.folder = folder
    var seen: Set<ValueCleaning.Column> = []
    columns = layout.entities.flatMap { entity in
      entity.slots.filter { $0.kind == .bytes }.compactMap(\.column)
        .map { ValueCleaning.Column(table: entity.table, name: $0) }
    }.filter { seen.insert($0).inserted }
  }

  /// Removes every file that neither a row nor the table of unused values knows, as after an attribute
  /// was removed by a migration; returns how many.
  ///
  /// Runs in a transaction.
  func removeOthers(_ connection: Connection) throws(SQLiteError) -> Int {
    let names = folder.allNames
    if names.isEmpty { return 0 }
    var used = try found(names, connection)
    let unused = try connection.statement("SELECT name FROM contrail_unused_value")
    while try unused.step() { used.insert(unused.text(0)) }
    unused.reset()
    let orphans = names.filter { !used.contains($0) }
    for name in orphans { folder.remove(name) }
    return orphans.count
  }

  /// Those of the names that some row has.
  func found(_ names: [String], _ connection: Connection) throws(SQLiteError) -> Set<String> {
    let list = "[\(names.map { "\"\($0)\"" }.joined(separator: ","))]"
    var found: Set<String> = []
    for column in columns {
      let statement = try connection.prepare(
        """
        SELECT \(quoted(column.name)) FROM \(quoted(column.table)) WHERE \
        typeof(\(quoted(column.name))) = 'text' \
        AND \(quoted(column.name)) IN (SELECT value FROM json_each(?1))
        """)
      statement.bind(1, list)
      while try statement.step() { found.insert(statement.text(0)) }
    }
    return found
  }
}

extension Store {
  /// Removes files of values that nothing refers to any longer, as after an attribute was removed;
  /// returns how many.
  ///
  /// Not needed in everyday work, in which each file goes some minutes after its value.
  @discardableResult
  public func removeUnusedValues() throws -> Int {
    guard let values = extras.values else { return 0 }
    let references = ValueReferences(values, layout)
    return try maintain { connection in
      try extras.lookAfter(connection, now: environment.now().timeIntervalSinceReferenceDate)
      // Commits are not on the disk before a checkpoint; see `ValueCleaning.clean`. Where somebody reads
      // what came before them, that is for another time.
      if let checkpoint = try connection.checkpoint(.passive), !checkpoint.isComplete { return 0 }
      return try connection.transaction { () throws(SQLiteError) in
        let count = try references.removeOthers(connection)
        try StoreFacts.remove(StoreFacts.Name.unusedValues, connection)
        return count
      }
    }
  }

  /// Whether a slot holds the same in two rows, also where one or both have only a file's name.
  func isEqual(_ slot: Int, _ first: Row, _ second: Row, _ layout: EntityLayout) -> Bool {
    if first.isEqual(slot, second, layout) { return true }
    guard layout.slots[slot].kind == .bytes, first.isPresent(slot), second.isPresent(slot) else {
      return false
    }
    let (a, b) = (first.bytes(slot, layout), second.bytes(slot, layout))
    guard a.file != nil || b.file != nil else { return false }
    return extras.values?.hasSameBytes(a, b) ?? false
  }
}
