/// An environment's schema: the answer to `schema/export`.
public struct SchemaExportResponse: Hashable, Sendable {
  /// The text of a `.ckdb` file.
  public var schema: String
  /// Whose schema it is.
  public var environment: ContainerEnvironment
  /// The version of the container's schema.
  public var version: Int64

  /// Makes an answer.
  public init(schema: String, environment: ContainerEnvironment, version: Int64) {
    self.schema = schema
    self.environment = environment
    self.version = version
  }
}

/// What differs between two schemas: the answer to `schema/diff`.
public struct SchemaDiffResponse: Hashable, Sendable {
  /// What the first one is called.
  public var from: String
  /// What the second one is called.
  public var to: String
  /// The version of the container's schema.
  public var version: Int64
  /// What leads from the one to the other.
  public var changes: [SchemaChangeLine]

  /// Makes an answer.
  public init(from: String, to: String, version: Int64, changes: [SchemaChangeLine]) {
    self.from = from
    self.to = to
    self.version = version
    self.changes = changes
  }
}

/// What was done to a schema, or would be, or why it was not: the answer to `schema/validate`, `import`,
/// `promote` and `reset`.
public struct SchemaPlanResponse: Hashable, Sendable {
  /// The environment that changes.
  public var environment: ContainerEnvironment
  /// Whether the schema is another one now.
  public var isChanged = false
  /// The version of the container's schema before.
  public var versionBefore: Int64
  /// The version of the container's schema now.
  public var version: Int64
  /// What changes in the environment.
  public var changes: [SchemaChangeLine] = []
  /// What production keeps although development has it no longer.
  public var kept: [SchemaChangeLine] = []
  /// Types and fields of development whose values are gone.
  public var discarded: [String] = []
  /// Whether all records of the environment are deleted.
  public var deletesAllRecords = false
  /// What the lint says.
  public var findings: [SchemaFindingLine] = []
  /// Rules of the lint that were passed over.
  public var accepted: [String] = []
  /// Why nothing can be done; empty for a plan that can be carried out.
  public var refusals: [SchemaRefusalLine] = []
  /// What makes this an error of the protocol as well: an act that was asked for and refused.
  public var failure: RequestFailure?

  /// Makes an answer of a plan without changes.
  public init(environment: ContainerEnvironment, versionBefore: Int64, version: Int64) {
    self.environment = environment
    self.versionBefore = versionBefore
    self.version = version
  }

  /// The HTTP status of the answer.
  public var status: Int { failure?.status ?? 200 }
}

/// Who managed the schema, oldest first: the answer to `schema/audit`.
public struct SchemaAuditResponse: Hashable, Sendable {
  /// What was done.
  public var entries: [SchemaAuditLine]

  /// Makes an answer.
  public init(entries: [SchemaAuditLine]) { self.entries = entries }
}
