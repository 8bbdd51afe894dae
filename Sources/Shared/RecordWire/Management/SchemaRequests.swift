/// A schema as the text of a `.ckdb` file: the request of `schema/validate` and `schema/import`.
public struct SchemaTextRequest: Hashable, Sendable {
  /// The text.
  public var schema: String
  /// What the text is called in places of findings.
  public var file: String

  /// The name of a text without one.
  public static let defaultFile = "schema.ckdb"

  /// Makes a request.
  public init(schema: String, file: String = defaultFile) {
    self.schema = schema
    self.file = file
  }
}

/// Asks what differs between two schemas: the request of `schema/diff`.
public struct SchemaDiffRequest: Hashable, Sendable {
  /// The environment to begin from.
  public var from: ContainerEnvironment
  /// The environment to come to, unless there is a text.
  public var to: ContainerEnvironment
  /// A text to come to, in place of an environment.
  public var schema: String?
  /// What the text is called.
  public var file: String

  /// Makes a request; by itself it asks what a promotion would find.
  public init(
    from: ContainerEnvironment = .production, to: ContainerEnvironment = .development,
    schema: String? = nil, file: String = SchemaTextRequest.defaultFile
  ) {
    self.from = from
    self.to = to
    self.schema = schema
    self.file = file
  }
}

/// Asks for development's schema in production: the request of `schema/promote`.
public struct SchemaPromoteRequest: Hashable, Sendable {
  /// Whether only to say what would be done.
  public var isDryRun: Bool
  /// Rules of the lint to pass over.
  public var accept: [String]

  /// Makes a request.
  public init(isDryRun: Bool = false, accept: [String] = []) {
    self.isDryRun = isDryRun
    self.accept = accept
  }
}

/// Asks for a development without records and with production's schema: the request of `schema/reset`.
public struct SchemaResetRequest: Hashable, Sendable {
  /// The container's name once more, so that no reset is a slip.
  public var confirm: String?
  /// Whether only to say what would be done; that needs no name.
  public var isDryRun: Bool

  /// Makes a request.
  public init(confirm: String? = nil, isDryRun: Bool = false) {
    self.confirm = confirm
    self.isDryRun = isDryRun
  }
}
