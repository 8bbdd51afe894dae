/// Which record of a database: its zone, and its name within that.
public struct RecordIdentity: Hashable, Sendable {
  /// The record's name, unique within its zone.
  public var recordName: String
  /// The zone that it is in.
  public var zone: ZoneIdentity

  /// Names a record.
  public init(recordName: String, zone: ZoneIdentity = .defaultZone) {
    self.recordName = recordName
    self.zone = zone
  }
}

extension RecordIdentity: CustomStringConvertible {
  /// The zone and the name: `Notes/0C0AEA6E`.
  public var description: String { "\(zone)/\(recordName)" }
}

/// The name of a record where another one points at it: `parent`, `share`.
public struct RecordLink: Hashable, Sendable {
  /// The name of the record.
  public var recordName: String
  /// Its zone; nil means that of the record which points.
  public var zone: ZoneIdentity?

  /// Points at a record.
  public init(recordName: String, zone: ZoneIdentity? = nil) {
    self.recordName = recordName
    self.zone = zone
  }
}

/// When a record was created or changed, by whom and where.
public struct RecordStamp: Hashable, Sendable {
  /// Milliseconds since 1970.
  public var timestamp: Int64
  /// The record name of the user.
  public var userRecordName: String?
  /// The device; `2` stands for the web and for servers.
  public var deviceID: String?

  /// The device of those that have none: the web and servers.
  public static let webDevice = "2"

  /// Makes a stamp.
  public init(timestamp: Int64, userRecordName: String? = nil, deviceID: String? = nil) {
    self.timestamp = timestamp
    self.userRecordName = userRecordName
    self.deviceID = deviceID
  }
}

/// Which state of a record: opaque text that is different after each change.
public struct ChangeTag: Hashable, Sendable {
  /// The tag as the wire spells it.
  public let text: String

  /// Takes a tag as it came.
  public init(_ text: String) { self.text = text }

  /// Spells a counter in base 36, the way this server makes its tags.
  public init(counter: UInt64) { text = String(counter, radix: 36) }

  /// The counter, when the text is exactly what `init(counter:)` makes of one.
  public var counter: UInt64? {
    guard let value = UInt64(text, radix: 36), String(value, radix: 36) == text else { return nil }
    return value
  }
}

extension ChangeTag: CustomStringConvertible {
  /// The tag itself.
  public var description: String { text }
}
