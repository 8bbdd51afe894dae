public import DataModel
public import RecordWire
public import SyncCore

/// With which container a store is synced, and how.
public struct SyncConfiguration: Sendable {
  /// The server's address, for those who look at the store; the transport knows where to send.
  public var server: String
  /// The container's name.
  public var container: String
  /// The container's environment.
  public var environment: String
  /// The zone that holds the store's records.
  public var zone: ZoneIdentity
  /// How objects become records.
  public var profile: MappingProfile
  /// The highest version of records, by their version fields, that this program understands; nil for all.
  public var versionMax: Int64?
  /// Rules that the program gives, by record type and field; they come before those of the schema.
  public var rules: [String: [String: MergeRule]]
  /// Fields for older versions of the program, made of those that took their place.
  public var legacyFields: [LegacyField] = []
  /// What decides when things happen.
  public var machine: SyncMachine.Settings
  /// What of the server's extensions may be used.
  public var usesExtensions = true

  /// The environment that refuses what was not promoted.
  public static let production = "production"
  /// The zone of the native profile.
  public static let nativeZone = "Contrail"
  /// The zone that Core Data's mirroring uses.
  public static let coreDataZone = "com.apple.coredata.cloudkit.zone"

  /// Names a container; the rest are the usual choices.
  public init(
    server: String, container: String, environment: String = production,
    profile: MappingProfile = .native, zone: ZoneIdentity? = nil
  ) {
    self.server = server
    self.container = container
    self.environment = environment
    self.profile = profile
    self.zone =
      zone ?? ZoneIdentity(name: profile == .native ? Self.nativeZone : Self.coreDataZone)
    rules = [:]
    machine = SyncMachine.Settings()
  }
}
