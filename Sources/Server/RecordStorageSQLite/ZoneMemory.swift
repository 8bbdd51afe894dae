import RecordServer
import SQLiteDriver

/// The zones that a connection for reading has met, as long as nobody writes to the file.
///
/// Every request asks for its zone, some of them twice, and the file tells by one number whether anything
/// in it has changed. Used with one connection, by whoever has that.
final class ZoneMemory {
  /// How many zones are remembered; when there are more, all are forgotten.
  static let zonesMax = 256

  private var version: UInt32?
  private var zones: [ZoneKey: NumberedZone] = [:]

  /// The zone as the open transaction would find it; nil where that is not known.
  func zone(_ key: ZoneKey, on connection: Connection) -> NumberedZone? {
    // NB: the number is that of the moment which the transaction sees only once it has begun to read.
    guard let version, connection.hasSnapshot, connection.fileVersion == version else {
      return nil
    }
    return zones[key]
  }

  /// Remembers what the open transaction has just read.
  func keep(_ zone: NumberedZone, on connection: Connection) {
    let current = connection.fileVersion
    if current != version || zones.count >= Self.zonesMax { zones = [:] }
    version = current
    zones[zone.row.key] = zone
  }
}
