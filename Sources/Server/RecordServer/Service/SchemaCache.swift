import Synchronization

/// A container's schema with what requests look up in it.
///
/// A class, since every request gets it and copying all of its parts would cost more than using them.
final class CurrentSchema: Sendable {
  let container: ContainerSchema
  let resolved: ResolvedSchema

  init(_ container: ContainerSchema, _ environment: SchemaEnvironment) {
    self.container = container
    resolved = container.resolved(environment)
  }
}

/// The newest schema that was read, so that it is not read again for each request.
///
/// A transaction compares the version that is stored with the one here, so a schema that another
/// process has changed is never used. Only what is committed may be kept: a version number that was
/// rolled back can come again with another content.
final class SchemaCache: Sendable {
  private let environment: SchemaEnvironment
  /// What there is before the first schema is kept.
  private let none: CurrentSchema
  private let newest = Mutex<CurrentSchema?>(nil)

  init(_ environment: SchemaEnvironment) {
    self.environment = environment
    none = CurrentSchema(ContainerSchema(), environment)
  }

  /// The schema as it is in a transaction that only reads.
  func read(in transaction: any StorageTransaction) throws -> CurrentSchema {
    let (schema, isNew) = try current(transaction)
    if isNew { keep(schema) }
    return schema
  }

  /// The schema as it is in a transaction that may write, and has not been committed.
  func current(in transaction: any StorageTransaction) throws -> CurrentSchema {
    try current(transaction).schema
  }

  /// Keeps a schema that is committed.
  func keep(_ schema: CurrentSchema) {
    if schema === none { return }
    newest.withLock { newest in
      if schema.container.version >= newest?.container.version ?? 0 { newest = schema }
    }
  }

  private func current(
    _ transaction: any StorageTransaction
  ) throws -> (schema: CurrentSchema, isNew: Bool) {
    guard let version = try transaction.schemaVersion() else {
      return (none, false)
    }
    if let known = newest.withLock({ $0 }), known.container.version == version {
      return (known, false)
    }
    guard let stored = try transaction.schema() else { throw StorageFailure.damagedSchema }
    return (CurrentSchema(try ContainerSchema(stored: stored), environment), true)
  }
}
