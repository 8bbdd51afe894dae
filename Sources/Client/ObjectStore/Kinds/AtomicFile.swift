import Foundation
import SQLiteDriver
import Synchronization

/// The file of a store that is loaded whole and saved whole.
///
/// The store works on a database in memory. Each commit writes the file first: when that fails, the
/// transaction is rolled back, so that memory and file never differ.
final class AtomicFile: Sendable {
  let path: String
  let kind: StoreKind
  private let faults: FileFaultPlan?
  /// Nil where the store may only be read.
  private let lock: FileLock?
  private let state = Mutex(State())

  private struct State {
    /// The file is of a transaction that is not committed yet.
    var isAhead = false
    /// What the file holds is not known: a commit failed behind it, and so did undoing it.
    var isUnsettled = false
    /// The connection's count of changed rows that the file has.
    var savedChanges = 0
  }

  /// Takes the file, with its lock where it is to be saved; removes what a killed process left there.
  init(_ location: Store.Location, allowsSave: Bool, faults: FileFaultPlan?) throws {
    let named = location.path ?? ""
    path = FilePaths.resolved(named)
    kind = location.kind
    self.faults = faults
    if allowsSave {
      lock = try FileLock(store: path)
      let unfinished = FileReplacement.unfinished(path)
      if FilePaths.exists(unfinished) { try? FileManager.default.removeItem(atPath: unfinished) }
    } else {
      lock = nil
    }
  }

  /// Fills an empty database with the file's store.
  func load(into connection: Connection) throws {
    try Self.load(path, kind, into: connection)
  }

  /// Fills an empty database with the store in a file of a kind that is read whole.
  static func load(_ path: String, _ kind: StoreKind, into connection: Connection) throws {
    let bytes = try StoreFile.bytes(path)
    try ImageLoading(connection: connection, subject: path).load(
      kind == .xml
        ? XMLStoreReader.contents(of: bytes, subject: path)
        : BinaryReader.contents(of: bytes, subject: path))
  }

  /// The bytes of a file with the store behind `connection`.
  static func bytes(
    of connection: Connection, as kind: StoreKind, subject: String
  ) throws -> [UInt8] {
    let (image, layout) = try StoreImage.read(connection, subject: subject)
    return kind == .xml
      ? try XMLStoreWriter.bytes(of: image, layout, subject: subject)
      : try BinaryWriter.bytes(of: image, subject: subject)
  }
}

extension AtomicFile {
  /// Writes the file with what a transaction will leave, before it is committed.
  func save(_ connection: Connection, ifChangedSince changes: Int) throws {
    if connection.totalChanges != changes { try save(connection) }
  }

  private func save(_ connection: Connection) throws {
    if state.withLock({ $0.isUnsettled }) {
      throw StoreError(
        .writeFailed, path, "may differ from memory after a failed save that could not be undone",
        fix: "open the store again, which shows what was saved")
    }
    let bytes = try Self.bytes(of: connection, as: kind, subject: path)
    do {
      try FileReplacement(path: path, faults: faults).replace(with: bytes)
    } catch {
      if error.isRenamed { state.withLock { $0.isAhead = true } }
      throw StoreError(error, path)
    }
    state.withLock { $0.isAhead = true }
  }

  /// The transaction whose rows the file has is committed.
  func noteCommit(_ connection: Connection) {
    state.withLock {
      guard $0.isAhead else { return }
      $0.isAhead = false
      $0.savedChanges = connection.totalChanges
    }
  }

  /// The transaction was rolled back: the file has to be as before, too.
  func noteRollback(_ connection: Connection) {
    guard state.withLock({ $0.isAhead }) else { return }
    do {
      try save(connection)
      noteCommit(connection)
    } catch {
      state.withLock { $0.isUnsettled = true }
    }
  }

  /// Writes the file when rows were changed since, as by a migration, or by one who writes without
  /// `Store.write`.
  func saveChanges(_ connection: Connection, since changes: Int) throws {
    guard connection.totalChanges != changes,
      connection.totalChanges != state.withLock({ $0.savedChanges })
    else { return }
    try save(connection)
    noteCommit(connection)
  }
}
