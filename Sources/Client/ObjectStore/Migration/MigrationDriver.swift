public import DataModel
import SQLiteDriver

/// Brings the store behind a connection that writes to the schema that is asked for.
struct MigrationDriver {
  let connection: Connection
  let location: Store.Location
  let schema: Schema
  let options: Store.Options
  let environment: Store.Environment
  let subject: String

  /// How long another process that migrates is waited for, in milliseconds.
  static let waitMilliseconds: Int32 = 600_000

  /// The catalogue by which `schema` lies in the store, which is migrated first if need be.
  func catalogue(_ facts: StoreFacts) throws -> Catalogue {
    if facts.schema == schema && facts.pendingStage == nil { return try Catalogue.read(connection) }
    guard options.allowsSave else { return try compatibleCatalogue(facts) }
    switch options.migration {
    case .none: return try compatibleCatalogue(facts)
    case .automatic: try exclusively { try migrate() }
    case .staged(let stages): try migrate(stages)
    }
    return try Catalogue.read(connection)
  }

  /// The catalogue for a store that is used as it is; throws where its tables are not the schema's.
  private func compatibleCatalogue(_ facts: StoreFacts) throws -> Catalogue {
    if facts.pendingStage != nil { throw StoreError.pendingStage(subject) }
    let plan = try MigrationPlanner(
      from: facts.schema, Catalogue.read(connection), to: schema
    ).plan()
    let names = StoreError.differingEntities(facts.schema, schema)
    if names.isEmpty && plan.isCompatible { return plan.catalogue }
    throw StoreError.incompatible(subject, names.isEmpty ? plan.changedEntities : names)
  }

  /// Runs `body` while no other connection writes; another one that migrates is waited for.
  func exclusively(_ body: () throws -> Void) throws {
    connection.setBusyTimeout(milliseconds: Self.waitMilliseconds)
    defer { connection.setBusyTimeout(milliseconds: environment.busyMilliseconds) }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      try body()
      try connection.execute("COMMIT")
    } catch {
      // The first error is what matters; SQLite may have rolled back already.
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  var runner: MigrationRunner {
    MigrationRunner(
      connection: connection, environment: environment, subject: subject,
      progress: options.migrationProgress)
  }

  /// Migrates by inference, from the schema that the store has by now.
  private func migrate() throws {
    let facts = try StoreFacts.read(connection, kind: location.kind, subject: subject)
    if facts.pendingStage != nil { throw StoreError.pendingStage(subject) }
    if facts.schema == schema { return }
    try run(from: facts.schema, to: schema, stage: nil)
  }

  /// Runs an inferred plan; throws for all that stands in the way, and changes nothing then.
  func run(from source: Schema, to target: Schema, stage: String?) throws {
    let plan = try MigrationPlanner(
      from: source, Catalogue.read(connection), to: target
    ).plan()
    let problems = try runner.problems(plan)
    if !problems.isEmpty { throw StoreError.cannotMigrate(subject, problems) }
    try runner.run(plan, stage: stage)
    try follow(plan)
  }
}

// The store as it is between two steps.
extension MigrationDriver {
  /// Lends a store over the connection, whose writes are parts of the open transaction.
  func lend(_ facts: StoreFacts, _ body: (Store) throws -> Void) throws {
    let store = try Store(
      identifier: facts.identifier, layout: StoreLayout(facts.schema, Catalogue.read(connection)),
      location: location, environment: environment,
      gate: ConnectionGate(writer: connection, openReader: nil),
      movedKeys: MovedKeys.read(connection), isWithinTransaction: true)
    // What fails is rolled back as a whole, temporary triggers and all.
    defer { connection.forgetStatements() }
    try store.extras.prepare(connection)
    try body(store)
    connection.forgetStatements()
    // Tables may change next.
    try StoreExtras.withdraw(from: connection)
  }

  /// After a plan has run: computes derived attributes where it adds some or has changed what they are
  /// derived from, and notes that files may have to go.
  func follow(_ plan: MigrationPlan) throws {
    if case .file = location, plan.mayLeaveValues {
      try StoreFacts.write(StoreFacts.Name.unusedValues, "1", connection)
    }
    guard plan.changesDerivedValues else { return }
    try lend(StoreFacts.read(connection, kind: location.kind, subject: subject)) { store in
      try store.write(author: Store.migrationAuthor) { try $0.deriveAll() }
    }
  }
}

extension StoreError {
  /// The names of the entities whose hashes differ, with what is the matter.
  static func differingEntities(_ source: Schema, _ target: Schema) -> [(String, String)] {
    let stored = source.entityHashes
    let asked = target.entityHashes
    return Set(stored.keys).union(asked.keys).filter { stored[$0] != asked[$0] }
      .sorted { $0.precedesInBytes($1) }.map { name in
        let what =
          stored[name] == nil
          ? "is not in the store" : asked[name] == nil ? "is in the store only" : "differs"
        return (name, what)
      }
  }

  static func incompatible(_ subject: String, _ entities: [(String, String)]) -> StoreError {
    StoreError(
      .incompatibleVersionHash, subject, "was made with another version of the schema",
      fix: "allow it to be migrated, or open it with the schema that it was made with",
      failures: entities.map { StoreError(.incompatibleVersionHash, $0.0, $0.1) })
  }

  static func cannotMigrate(_ subject: String, _ problems: [StoreError]) -> StoreError {
    StoreError(
      .migrationNeeded, subject,
      "cannot be migrated by itself, with \(counted(problems.count, "thing")) in the way; "
        + "nothing was changed",
      fix: "write a custom stage, or change the schema", failures: problems)
  }

  static func pendingStage(_ subject: String) -> StoreError {
    StoreError(
      .migrationNeeded, subject, "is in the middle of a stage of a migration plan",
      fix: "open it with the plan that began to migrate it")
  }
}

extension MigrationPlan {
  /// The entities whose parts differ, for an error.
  var changedEntities: [(String, String)] {
    let names = Set(forecast.steps.compactMap(\.change.element.ownerName))
    return names.sorted { $0.precedesInBytes($1) }.map { ($0, "differs") }
  }
}

extension Store {
  /// What it would take to bring the store at `path` to `schema`, with all that stands in the way;
  /// changes nothing.
  public static func migrationPlan(at path: String, to schema: Schema) throws -> MigrationPlan {
    try StoreOpening.reading(path) { connection, kind in
      let facts = try StoreFacts.read(connection, kind: kind, subject: path)
      var plan = try MigrationPlanner(
        from: facts.schema, Catalogue.read(connection), to: schema
      ).plan()
      plan.problems = try MigrationRunner(
        connection: connection, environment: .system, subject: path
      ).problems(plan)
      return plan
    }
  }
}
