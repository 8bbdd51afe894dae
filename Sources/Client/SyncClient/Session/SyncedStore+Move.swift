import FoundationEssentials
import Glibc
public import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

extension Store {
  /// Has a store that is a copy of a synced one synced with another container from now on.
  ///
  /// All records are sent there as they are, under the names that they have, with what this program does
  /// not know of them. The container that it was synced with is not asked, and keeps what it has. It may
  /// be called again after it was cut short; for a store that is synced with that container already it
  /// does nothing.
  ///
  /// ```swift
  /// try store.copy(to: .file("moved.sqlite"))
  /// let moved = try Store(at: .file("moved.sqlite"), schema: store.schema)
  /// try moved.moveSync(to: SyncConfiguration(server: url, container: "org.example.new"))
  /// ```
  ///
  /// Throws `pendingChanges` where something is still to be sent to the old container.
  public func moveSync(
    to configuration: SyncConfiguration, environment: SyncEnvironment = .system
  ) throws {
    var random = environment.random
    let device = DeviceNumber(rawValue: random.next())
    try withExtendedLifetime(SyncLease(location)) {
      if try !SyncStatus.read(self).isSynced(with: configuration) {
        try requireSettled()
        try write(author: SyncAuthor.name) { transaction in
          try SyncRows(connection: transaction.connection).bind(to: configuration, as: device)
        }
      }
      guard try SyncStatus.read(self).trouble == .zoneReset else { return }
      let session = try SyncSession(self, configuration, device: device, random: random)
      try session.resolve(.reupload, now: environment.now())
    }
  }

  /// Makes a copy of a synced store for another container, which says what it was made of.
  ///
  /// `moveSync` of the copy goes on from there.
  ///
  /// Afterwards the whole copy is at `path`, or nothing: it has another name until all of that is written down.
  /// Who was killed while making it calls this again.
  ///
  /// Throws `pendingChanges` where something is still to be sent to the old container.
  public func copy(
    to path: String, syncedWith configuration: SyncConfiguration,
    environment: SyncEnvironment = .system
  ) throws {
    try requireSettled()
    var random = environment.random
    let device = DeviceNumber(rawValue: random.next())
    try withExtendedLifetime(SyncLease(.file(path))) {
      try MovedCopy(path: path, original: self).make(configuration, device)
    }
  }

  /// Whether this is a copy that `copy(to:syncedWith:)` has made of another store, for that container.
  public func isCopy(
    of original: Store, syncedWith configuration: SyncConfiguration
  ) throws -> Bool {
    let origin = try readRows { connection in
      try SyncTables.areThere(connection) ? SyncRows(connection: connection).text(.origin) : nil
    }
    guard let origin, origin == original.identifier.uuidString else { return false }
    return try SyncStatus.read(self).isSynced(with: configuration)
  }

  /// Throws where something is still to be sent, fetched or decided: its container would never have it.
  ///
  /// What stands in the way of passes is no reason to stay: the server may be gone for good.
  fileprivate func requireSettled() throws {
    let status = try SyncStatus.read(self)
    let left = status.pending + status.parked + status.failed + status.awaitedFiles
    guard left == 0, status.trouble == nil else {
      throw SyncError(
        .pendingChanges, "the store", "has changes that its container does not have yet",
        fix: "sync it first")
    }
  }
}

/// A copy that is being made, under a name of its own until it is whole.
private struct MovedCopy {
  let path: String
  let original: Store

  /// Where it is made.
  private var unfinished: String { path + ".moving" }

  func make(_ configuration: SyncConfiguration, _ device: DeviceNumber) throws {
    var about = stat()
    guard lstat(path, &about) != 0 else {
      throw StoreError(.cannotOpen, path, "there is a file already", fix: "name another")
    }
    // Values without a store are nobody's only where somebody was killed between giving them and it their names.
    let wasKilled = access(unfinished, F_OK) == 0
    guard wasKilled || access(path + Self.values, F_OK) != 0 else {
      throw StoreError(
        .cannotOpen, path + Self.values, "is there, and may be of a store that was moved away",
        fix: "name another file, or move it, too")
    }
    try Store.destroy(at: unfinished)
    do {
      try original.copy(to: .file(unfinished))
      try requireSettled()
      try bind(configuration, device)
      try giveName()
    } catch {
      try? Store.destroy(at: unfinished)
      throw error
    }
  }

  /// The original may have been edited since it was looked at.
  private func requireSettled() throws {
    var options = Store.Options()
    options.allowsSave = false
    try Store(at: .file(unfinished), schema: original.layout.schema, options: options)
      .requireSettled()
  }

  /// Writes down the container, and the original; as one file, since nobody has opened the copy to write.
  private func bind(_ configuration: SyncConfiguration, _ device: DeviceNumber) throws {
    do {
      let connection = try Connection(.file(unfinished), mode: .readWrite)
      defer { connection.close() }
      func write() throws {
        let rows = SyncRows(connection: connection)
        try rows.bind(to: configuration, as: device)
        try rows.set(.origin, original.identifier.uuidString)
      }
      try connection.transaction(.immediate, failingAs: { $0 as any Error }, write)
    } catch let error as SQLiteError {
      throw StoreError(
        .writeFailed, path, "the copy cannot be written: \(error.message)",
        fix: "see whether the disk has room, and try again")
    }
  }

  /// Gives the copy its name; the values beside it go first, so that a store of that name is whole.
  private func giveName() throws {
    let (values, target) = (unfinished + Self.values, path + Self.values)
    if access(values, F_OK) == 0 {
      // Without a store they are nobody's: somebody was killed at this line.
      try? FileManager.default.removeItem(atPath: target)
      try Self.rename(values, target)
    }
    // Somebody may have made a store of that name meanwhile.
    var about = stat()
    guard lstat(path, &about) != 0 else {
      throw StoreError(.cannotOpen, path, "there is a file by now", fix: "name another")
    }
    try Self.rename(unfinished, path)
  }

  /// What follows a store's path in the name of the folder with its values.
  private static let values = ".values"

  private static func rename(_ name: String, _ newName: String) throws {
    guard Glibc.rename(name, newName) != 0 else { return }
    throw StoreError(
      .writeFailed, newName, "the copy cannot get this name: \(String(cString: strerror(errno)))",
      fix: "name another")
  }
}

extension SyncRows {
  /// Writes down a new container, and that nothing of what was confirmed is there.
  fileprivate func bind(to configuration: SyncConfiguration, as device: DeviceNumber) throws {
    try set(.server, configuration.server)
    try set(.container, configuration.container)
    try set(.environment, configuration.environment)
    // The original goes on as the device that it was.
    try set(.device, Int64(bitPattern: device.rawValue))
    try set(.account, nil)
    try set(.lastSuccess, nil)
    try set(.obstacle, nil)
    guard var zone = try zones().first else { return }
    (zone.identity, zone.token, zone.isMade) = (configuration.zone, nil, false)
    try put(zone)
    try forgetLacks()
    try set(.trouble, Trouble.zoneReset.rawValue)
  }
}

extension SyncStatus {
  fileprivate func isSynced(with configuration: SyncConfiguration) -> Bool {
    server == configuration.server && container == configuration.container
      && environment == configuration.environment && zone == configuration.zone.name
  }
}
