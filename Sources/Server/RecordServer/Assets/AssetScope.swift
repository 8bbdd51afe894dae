import RecordWire

/// Whose assets: of which container, environment and database.
public struct AssetScope: Hashable, Sendable {
  /// The container's name.
  public var container: String
  /// Which of its halves.
  public var environment: SchemaEnvironment
  /// Which database.
  public var database: DatabaseKey

  /// Names a scope.
  public init(container: String, environment: SchemaEnvironment, database: DatabaseKey) {
    self.container = container
    self.environment = environment
    self.database = database
  }
}

extension SealedWriter {
  mutating func append(_ scope: AssetScope) {
    append(scope.container)
    append(scope.environment.rawValue)
    append(scope.database.scope.rawValue)
    append(scope.database.owner)
  }
}

extension SealedReader {
  mutating func scope() -> AssetScope? {
    guard let container = text(), let half = text(), let kind = text(), let owner = text(),
      let environment = SchemaEnvironment(rawValue: half),
      let scope = DatabaseKey.Scope(rawValue: kind)
    else { return nil }
    return AssetScope(
      container: container, environment: environment, database: DatabaseKey(scope, owner: owner))
  }
}

/// The addresses under which files are uploaded and downloaded.
public struct AssetPlaces: Hashable, Sendable {
  /// What stands before the path: scheme, host and port, without a slash at its end.
  public var baseURL: String

  /// Takes scheme, host and port, such as `https://records.example.com`.
  public init(baseURL: String) {
    self.baseURL = baseURL.utf8.last == UInt8(ascii: "/") ? String(baseURL.dropLast()) : baseURL
  }

  /// What is done at an address.
  public enum Action: String, Sendable {
    /// Bytes are sent to it, with POST.
    case upload
    /// Bytes are fetched from it, with GET.
    case download
  }

  /// The path to a sealed text: `/assets/1/{container}/{environment}/{action}/{sealed}`.
  public static func path(_ action: Action, _ scope: AssetScope, _ sealed: String) -> String {
    let container = PercentCoding.encoded(scope.container)
    return "/assets/1/\(container)/\(scope.environment.rawValue)/\(action.rawValue)/\(sealed)"
  }

  func url(_ action: Action, _ scope: AssetScope, _ sealed: String) -> String {
    baseURL + Self.path(action, scope, sealed)
  }
}
