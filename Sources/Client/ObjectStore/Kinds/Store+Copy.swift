internal import Foundation
import Glibc
internal import SQLiteDriver

extension Store {
  /// Makes a copy of the store, of the same or another kind, while it may be used further.
  ///
  /// ```swift
  /// try store.copy(to: .xml("/backups/log.xml"))
  /// ```
  ///
  /// The copy has all objects, the whole history and all facts, as they are at one moment. It is another
  /// store, so it gets an identity of its own, unless `keepsIdentifier` says that it is to take this
  /// one's place, as a backup does. Nothing may be at `location` yet; a copy that fails leaves nothing.
  public func copy(to location: Location, keepsIdentifier: Bool = false) throws {
    guard let named = location.path else {
      throw StoreError(
        .cannotOpen, location.subject, "has no place to copy to", fix: "name a file")
    }
    let path = FilePaths.resolved(named)
    let lock = try FileLock(store: path)
    defer { withExtendedLifetime(lock) {} }
    guard !FilePaths.exists(path) else {
      throw StoreError(
        .cannotOpen, path, "there is a file already", fix: "name another, or destroy that one")
    }
    do {
      if location.kind.isAtomic {
        try copyAtomic(to: path, location.kind, keepsIdentifier)
      } else {
        try copyDatabase(to: path, keepsIdentifier)
      }
    } catch let error as SQLiteError {
      throw StoreError(error, location)
    } catch let error as FileReplacement.Failure {
      throw StoreError(error, path)
    }
  }

  private func copyAtomic(to path: String, _ kind: StoreKind, _ keepsIdentifier: Bool) throws {
    let scratch = try Connection(.memory)
    try fill(scratch, keepsIdentifier)
    try takeInValues(scratch)
    let bytes = try AtomicFile.bytes(of: scratch, as: kind, subject: path)
    try FileReplacement(path: path, faults: environment.fileFaults).replace(with: bytes)
  }

  private func copyDatabase(to path: String, _ keepsIdentifier: Bool) throws {
    let unfinished = FileReplacement.unfinished(path)
    StoreFile.removeDatabase(unfinished)
    do {
      let scratch = try Connection(.file(unfinished))
      try fill(scratch, keepsIdentifier)
      scratch.close()
      try copyValues(to: path)
      try FileReplacement(path: path, faults: environment.fileFaults).finish(unfinished)
    } catch {
      StoreFile.removeDatabase(unfinished)
      throw error
    }
  }

  private func fill(_ scratch: Connection, _ keepsIdentifier: Bool) throws {
    try read { try $0.backup(to: scratch) }
    // One file, and durable when it is closed.
    try scratch.execute("PRAGMA journal_mode = DELETE")
    try scratch.execute("PRAGMA synchronous = FULL")
    if keepsIdentifier { return }
    try StoreFacts.write(
      StoreFacts.Name.identifier, environment.newIdentifier().uuidString, scratch)
  }

  /// Puts the values that lie in files into their rows: the other kinds keep all in one file.
  private func takeInValues(_ scratch: Connection) throws {
    var seen: Set<String> = []
    for entity in layout.entities {
      for slot in entity.externalSlots {
        guard let column = entity.slots[slot].column,
          seen.insert("\(entity.table).\(column)").inserted
        else { continue }
        try takeInValues(
          quoted(entity.table), quoted(column), "\(entity.name).\(entity.slots[slot].name)", scratch
        )
      }
    }
  }

  private func takeInValues(
    _ table: String, _ column: String, _ subject: String, _ scratch: Connection
  ) throws {
    var names: [(key: Int64, name: String)] = []
    let rows = try scratch.prepare(
      "SELECT _id, \(column) FROM \(table) WHERE typeof(\(column)) = 'text'")
    while try rows.step() { names.append((rows.integer(0), rows.text(1))) }
    let update = try scratch.prepare("UPDATE \(table) SET \(column) = ?1 WHERE _id = ?2")
    for (key, name) in names {
      guard let bytes = try extras.values?.read(name) else {
        throw StoreError.missingValueFile(name, "\(subject) of object \(key)")
      }
      update.bind(1, bytes)
      update.bind(2, key)
      try update.run()
    }
  }

  /// Copies the values that lie beside the store.
  private func copyValues(to path: String) throws {
    guard let own = location.path.map(StoreFile.valuesFolder), FilePaths.exists(own) else { return }
    let target = StoreFile.valuesFolder(path)
    try? FileManager.default.removeItem(atPath: target)
    do {
      try FileManager.default.copyItem(atPath: own, toPath: target)
    } catch {
      throw StoreError(
        .writeFailed, target, "values cannot be copied: \(error.localizedDescription)")
    }
  }
}

extension Store {
  /// Takes the store at `path` away, of whatever kind: its file and all that lies beside it.
  ///
  /// Throws `busy` while it is open, and `notAStore` for what Contrail did not make. Nothing happens
  /// where there is nothing.
  public static func destroy(at path: String) throws {
    let path = FilePaths.resolved(path)
    let lock = try FileLock(store: path)
    defer { withExtendedLifetime(lock) {} }
    switch try? StoreFile.find(path) {
    case .store(.sqlite): try StoreFile.requireUnused(path)
    case nil where !StoreFile.isDamagedStore(path): _ = try StoreFile.find(path)
    default: break
    }
    guard StoreFile.remove(path) else {
      let words = String(cString: strerror(errno))
      throw StoreError(.writeFailed, path, "cannot be taken away: \(words)")
    }
    StoreFile.removeDatabase(path)
    StoreFile.removeDatabase(FileReplacement.unfinished(path))
    try? FileManager.default.removeItem(atPath: StoreFile.valuesFolder(path))
  }
}

extension StoreFile {
  /// The folder with the values that are kept outside of a store's file.
  static func valuesFolder(_ path: String) -> String { path + ".values" }

  /// Takes a file away; true where there is none.
  static func remove(_ path: String) -> Bool { unlink(path) == 0 || errno == ENOENT }

  /// Takes an SQLite database away with the files that SQLite keeps beside it.
  static func removeDatabase(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { _ = remove(path + suffix) }
  }

  /// Whether the file is a store that is cut short or damaged: it may be taken away.
  static func isDamagedStore(_ path: String) -> Bool {
    do {
      _ = try find(path)
      return false
    } catch {
      return (error as? StoreError)?.code == .corrupt
    }
  }

  /// Throws for a database of another program, and while a connection to it is open.
  static func requireUnused(_ path: String) throws {
    do {
      let connection = try Connection(.file(path), mode: .readWrite)
      // Who has it open keeps it so: there is nothing to wait for.
      connection.setBusyTimeout(milliseconds: 0)
      if try !connection.isBlank {
        do {
          _ = try StoreFacts.read(connection, kind: .sqlite, subject: path)
        } catch let error as StoreError
          where error.code == .corrupt || error.code == .newerFormat
        {
          // What is damaged may go, too.
        }
      }
      // Only who is alone can end write-ahead logging: https://www.sqlite.org/wal.html
      try connection.execute("PRAGMA journal_mode = DELETE")
    } catch let error as SQLiteError {
      if error.code.primary == .busy {
        throw StoreError(.busy, path, "is open elsewhere", fix: "close it there first")
      }
      if error.code.primary == .notADatabase || error.code.primary == .corrupt { return }
      throw StoreError(error, .file(path))
    }
  }
}
