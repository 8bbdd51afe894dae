public import Foundation
public import ObjectStore

/// One store of a container: where it is, and which models it has.
public struct ModelConfiguration: Identifiable, Hashable, Sendable {
  /// The configuration's name; "default" where none is given.
  public let name: String
  /// The store's file; of a store in memory a URL that leads nowhere.
  public let url: URL
  /// The entities of the store; nil for all of the container's.
  public var schema: Schema?
  /// Whether the store may be changed.
  public let allowsSave: Bool
  /// Whether the store is gone with its container.
  public let isStoredInMemoryOnly: Bool
  /// How the store keeps its models.
  public let storeType: StoreType
  /// What stands for a group of apps that share files; Linux has none.
  public let groupContainer: GroupContainer
  /// The group's identifier; nil where there is none.
  public let groupAppContainerIdentifier: String?
  /// The database that the store is mirrored to by its platform, which is for other platforms: `sync` is
  /// what counts here.
  public let cloudKitDatabase: CloudKitDatabase
  /// The container's identifier; nil where there is none.
  public let cloudKitContainerIdentifier: String?
  /// Where the store is mirrored to; nil for a store that stays here.
  public var sync: SyncTarget?
  /// Whether a store of an earlier version is brought up to the models as it is opened.
  public var migration = Migration.automatic

  /// The file tells configurations apart.
  public var id: URL { url }

  /// A store of the default file, or in memory.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// A store for some models.
  public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// A store that is named after the configuration, in the program's folder of data.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
    allowsSave: Bool = true, groupContainer: GroupContainer = .automatic,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    let name = name ?? Self.defaultName
    self.init(
      name: name, schema: schema,
      url: isStoredInMemoryOnly ? Self.memoryURL(name) : Self.defaultURL(name),
      isStoredInMemoryOnly: isStoredInMemoryOnly, allowsSave: allowsSave,
      groupContainer: groupContainer, cloudKitDatabase: cloudKitDatabase)
  }

  /// A store of a file.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.init(
      name: name ?? Self.defaultName, schema: schema, url: url, isStoredInMemoryOnly: false,
      allowsSave: allowsSave, groupContainer: .automatic, cloudKitDatabase: cloudKitDatabase)
  }

  /// A store of the default file, or in memory, that may be mirrored to a record server.
  public init(isStoredInMemoryOnly: Bool = false, sync: SyncTarget?) {
    self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly, sync: sync)
  }

  /// A store for some models that may be mirrored to a record server.
  public init(
    for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false, sync: SyncTarget?
  ) {
    self.init(
      nil, schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly, sync: sync)
  }

  /// A store that is named after the configuration, in the program's folder of data, or in memory, that may
  /// be mirrored to a record server.
  public init(
    _ name: String?, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
    allowsSave: Bool = true, groupContainer: GroupContainer = .automatic,
    cloudKitDatabase: CloudKitDatabase = .automatic, sync: SyncTarget?
  ) {
    self.init(
      name, schema: schema, isStoredInMemoryOnly: isStoredInMemoryOnly, allowsSave: allowsSave,
      groupContainer: groupContainer, cloudKitDatabase: cloudKitDatabase)
    self.sync = sync
  }

  /// A store of a file that may be mirrored to a record server.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic, sync: SyncTarget?
  ) {
    self.init(
      name, schema: schema, url: url, allowsSave: allowsSave, cloudKitDatabase: cloudKitDatabase)
    self.sync = sync
  }

  /// A store of a file of a certain type; in memory, the URL leads nowhere.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, storeType: StoreType,
    allowsSave: Bool = true
  ) {
    self.init(
      name: name ?? Self.defaultName, schema: schema, url: url,
      isStoredInMemoryOnly: storeType == .inMemory, allowsSave: allowsSave, groupContainer: .none,
      cloudKitDatabase: .none, storeType: storeType)
  }

  private init(
    name: String, schema: Schema?, url: URL, isStoredInMemoryOnly: Bool, allowsSave: Bool,
    groupContainer: GroupContainer, cloudKitDatabase: CloudKitDatabase,
    storeType: StoreType = .sqlite
  ) {
    self.name = name
    self.schema = schema
    self.url = url
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    self.storeType = isStoredInMemoryOnly ? .inMemory : storeType
    self.allowsSave = allowsSave
    self.groupContainer = groupContainer
    self.cloudKitDatabase = cloudKitDatabase
    groupAppContainerIdentifier = groupContainer.identifier
    cloudKitContainerIdentifier = cloudKitDatabase.name
  }
}

extension ModelConfiguration {
  /// The name of a configuration that was given none.
  static let defaultName = "default"
  /// The longest name, in bytes, of which a file name is made.
  static let nameBytesMax = 240

  /// How a store keeps its models: `.sqlite`, a database that saves what changed; `.inMemory`; `.binary` and
  /// `.xml`, files that are read whole and that each save replaces, `.xml` one that people can read.
  public typealias StoreType = StoreKind

  /// What opening a store of an earlier version does.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration(url: url)
  /// configuration.migration = .never
  /// ```
  public enum Migration: Hashable, Sendable {
    /// The store is migrated: by the stages of the container's plan, if it has one, and by what can be inferred.
    case automatic
    /// The store is migrated where the container has a plan; what could be inferred without one is refused.
    case planned
    /// The store is refused, and stays as it is.
    case never
  }

  /// Whether a group of apps shares the store; there are none on Linux, so nothing follows from it.
  public struct GroupContainer: Hashable, Sendable {
    let identifier: String?
    let isAutomatic: Bool

    /// Whatever the program's rights say.
    public static let automatic = GroupContainer(identifier: nil, isAutomatic: true)
    /// None.
    public static let none = GroupContainer(identifier: nil, isAutomatic: false)
    /// The group of that name.
    public static func identifier(_ name: String) -> GroupContainer {
      GroupContainer(identifier: name, isAutomatic: false)
    }
  }

  /// Whether the platform's own service mirrors the store, which is for other platforms.
  ///
  /// Here nothing follows from it, whichever it is: a store is mirrored where `sync` says so, and never
  /// without being asked. Code that gives both mirrors to the one there and to the other here.
  public struct CloudKitDatabase: Hashable, Sendable {
    let name: String?
    let isAutomatic: Bool

    /// Whatever the program's rights say.
    public static let automatic = CloudKitDatabase(name: nil, isAutomatic: true)
    /// None.
    public static let none = CloudKitDatabase(name: nil, isAutomatic: false)
    /// The private database of the container of that name.
    public static func `private`(_ name: String) -> CloudKitDatabase {
      CloudKitDatabase(name: name, isAutomatic: false)
    }
  }

  /// The default file of a configuration: in a folder named after the program, among the user's data.
  private static func defaultURL(_ name: String) -> URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    let base = folders.first ?? URL(fileURLWithPath: NSHomeDirectory())
    return base.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
      .appendingPathComponent(name + ".store")
  }

  private static func memoryURL(_ name: String) -> URL {
    URL(fileURLWithPath: "/dev/null").appendingPathComponent(name)
  }

  /// Where the store behind it is.
  var location: ObjectStore.Store.Location { .init(storeType, path: url.path) }

  /// Throws where no file can have the configuration's name; makes the default folder.
  func prepare() throws {
    if isStoredInMemoryOnly { return }
    if name.utf8.count > Self.nameBytesMax {
      throw SwiftDataError(
        SwiftDataError.configurationFileNameTooLong.code, name,
        "has \(name.utf8.count) bytes, and \(Self.nameBytesMax) fit a file's name",
        fix: "give the configuration a shorter name")
    }
    if name.contains("/") || name.contains("\0") {
      throw SwiftDataError(
        SwiftDataError.configurationFileNameContainsInvalidCharacters.code, name,
        "has a character that no file's name has", fix: "leave out slashes")
    }
    if allowsSave {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
  }
}
