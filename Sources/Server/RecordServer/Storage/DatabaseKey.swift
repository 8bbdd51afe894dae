import DataModel

/// Which database of a container's environment.
public struct DatabaseKey: Hashable, Sendable {
  /// Who shares a database.
  public enum Scope: String, Hashable, Sendable, CaseIterable {
    /// Everyone, as the grants of the schema say.
    case everyone = "public"
    /// One user alone.
    case user = "private"
  }

  /// Who shares it.
  public var scope: Scope
  /// The record name of the user whose zones they are; the public database has one owner too.
  public var owner: String

  /// Names a database.
  public init(_ scope: Scope, owner: String) {
    self.scope = scope
    self.owner = owner
  }

  /// The owner of the public database's one zone.
  public static let publicOwner = "_public"

  /// The public database.
  public static let everyone = DatabaseKey(.everyone, owner: publicOwner)

  /// The private database of a user.
  public static func user(_ owner: String) -> DatabaseKey { DatabaseKey(.user, owner: owner) }
}

/// Which zone of a container's environment.
public struct ZoneKey: Hashable, Sendable {
  /// The database that it is in.
  public var database: DatabaseKey
  /// The zone's name.
  public var name: String

  /// Names a zone.
  public init(_ database: DatabaseKey, _ name: String) {
    self.database = database
    self.name = name
  }

  /// Whether both name one zone: by bytes, as storages keep names, so that two spellings of one letter
  /// are two zones.
  public static func == (left: ZoneKey, right: ZoneKey) -> Bool {
    ExactName.areEqual(left.name, right.name) && left.database == right.database
  }
}

/// Which record of a container's environment.
public struct RecordKey: Hashable, Sendable {
  /// The zone that it is in.
  public var zone: ZoneKey
  /// The record's name.
  public var name: String

  /// Names a record.
  public init(_ zone: ZoneKey, _ name: String) {
    self.zone = zone
    self.name = name
  }

  /// Whether the record comes before another: by the bytes of their zones' names, then of their own.
  func precedes(_ other: RecordKey) -> Bool {
    zone.name.utf8.elementsEqual(other.zone.name.utf8)
      ? name.precedesInBytes(other.name) : zone.name.precedesInBytes(other.zone.name)
  }

  /// Whether both name one record: by bytes, as storages keep names.
  public static func == (left: RecordKey, right: RecordKey) -> Bool {
    ExactName.areEqual(left.name, right.name) && left.zone == right.zone
  }
}
