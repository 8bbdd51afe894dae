import RecordServer
import SQLiteDriver

/// What a connection for reading has found that every request asks for, as long as nobody writes to the file.
///
/// The file tells by one number whether anything in it has changed. Used with one connection, by whoever has
/// that.
final class FileMemory {
  /// How many zones are remembered; when there are more, all are forgotten.
  static let zonesMax = 256

  private let connection: Connection
  private var version: UInt32?
  /// Whether `version` is that of the moment which the open transaction sees.
  private var isCurrent = false
  private var zones: [ZoneKey: NumberedZone] = [:]
  private var last: NumberedZone?
  private var schemaVersion: Int64??

  init(_ connection: Connection) { self.connection = connection }

  /// Says that another transaction has begun.
  func meetNewMoment() { isCurrent = false }

  /// The zone as the open transaction would find it; nil where that is not known.
  func zone(_ key: ZoneKey) -> NumberedZone? {
    guard meetVersion() else { return nil }
    // A request asks for its zone more than once.
    if let last, last.row.key == key { return last }
    guard let found = zones[key] else { return nil }
    last = found
    return found
  }

  /// Remembers what the open transaction has just read.
  func keep(_ zone: NumberedZone) {
    guard meetVersion() else { return }
    if zones.count >= Self.zonesMax { zones = [:] }
    zones[zone.row.key] = zone
    last = zone
  }

  /// The version of the schema as the open transaction would find it, or what `read` finds.
  func schemaVersion(_ read: () throws -> Int64?) rethrows -> Int64? {
    if meetVersion(), let known = schemaVersion { return known }
    let found = try read()
    if meetVersion() { schemaVersion = .some(found) }
    return found
  }

  /// Whether what is remembered is of the open transaction's moment; forgets what is not.
  private func meetVersion() -> Bool {
    if isCurrent { return true }
    // NB: the number is that of the moment which the transaction sees only once it has begun to read.
    guard connection.hasSnapshot, let found = connection.fileVersion else { return false }
    if found != version {
      zones = [:]
      last = nil
      schemaVersion = nil
      version = found
    }
    isCurrent = true
    return true
  }
}
