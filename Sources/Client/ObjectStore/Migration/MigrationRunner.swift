import DataModel
internal import FoundationEssentials
internal import SchemaFormats
import SQLiteDriver

/// Runs plans on a connection, within a transaction that its caller holds.
struct MigrationRunner {
  let connection: Connection
  let environment: Store.Environment
  let subject: String
  var progress: (@Sendable (MigrationProgress) -> Void)?

  /// How many failing values a message names.
  static let exampleCharactersMax = 120

  /// What the data says against `plan`; asked before anything runs.
  func problems(_ plan: MigrationPlan) throws(SQLiteError) -> [StoreError] {
    var problems = refusals(plan)
    for check in plan.checks {
      if let problem = try ask(check, check.before) { problems.append(problem) }
    }
    return problems
  }

  /// What no stage can do.
  func refusals(_ plan: MigrationPlan) -> [StoreError] {
    plan.forecast.steps.filter { $0.verdict == .refused }.map { step in
      StoreError(
        .migrationFailed, "\(step.change.element)", step.reason, fix: "change the schema")
    }
  }

  /// What the new schema still refuses once a stage has run.
  func problems(after checks: [MigrationPlan.Check]) throws(SQLiteError) -> [StoreError] {
    var problems: [StoreError] = []
    for check in checks {
      guard let after = check.after else { continue }
      if let problem = try ask(check, after) { problems.append(problem) }
    }
    return problems
  }

  private func ask(_ check: MigrationPlan.Check, _ sql: String) throws(SQLiteError) -> StoreError? {
    let statement = try connection.prepare(sql)
    guard try statement.step(), statement.integer(0) > 0 else { return nil }
    let example =
      statement.isNull(1)
      ? "" : ", such as \(statement.text(1).prefix(Self.exampleCharactersMax))"
    let message = check.message(count: statement.integer(0), example: example)
    return StoreError(.migrationFailed, check.subject, message, fix: check.fix)
  }

  /// Changes tables and rows as `plan` says, and with them history, catalogue and the kept schema.
  func run(_ plan: MigrationPlan, stage: String?) throws {
    let keys = try nextKeys(plan)
    let log = try HistoryLog(
      connection, time: environment.now(), author: Store.migrationAuthor,
      process: environment.processName)
    for (index, step) in plan.steps.enumerated() {
      progress?(
        MigrationProgress(
          stage: stage, step: index + 1, stepCount: plan.steps.count, title: step.title))
      environment.debugging.migration("\(index + 1) of \(plan.steps.count): \(step.title)")
      for change in step.changes { try record(change, log) }
      for sql in step.sql { try connection.execute(sql) }
    }
    for (entity, numbers) in plan.renumbered.sorted(by: { $0.key < $1.key }) {
      try HistoryRenumbering(entity: entity, numbers: numbers).run(connection)
    }
    for change in movedEntities(plan) { try connection.execute(change) }
    for (table, next) in keys { try write(table, next) }
    if plan.changesRows { try SearchIndex.remove(connection) }
    try plan.catalogue.write(connection)
    try StoreFacts.write(
      StoreFacts.Name.schema, ContrailJSON.text(of: plan.target), connection)
    try MigrationJournal(connection).note(
      plan, stage: stage, time: environment.now(), transaction: log.isEmpty ? nil : log.number)
    try log.finish()
  }

  /// Notes the objects that a step changes; the keys are read before anything is written.
  private func record(_ change: MigrationPlan.ChangedRows, _ log: HistoryLog) throws(SQLiteError) {
    let statement = try connection.prepare(change.keys)
    while try statement.step() {
      try log.updated(change.entity, statement.integer(0), [change.property])
    }
  }

  /// The next key of each table that takes over rows; keys of tables that go are kept for ever, so that
  /// none is given twice even if a table of that name comes back.
  private func nextKeys(_ plan: MigrationPlan) throws(SQLiteError) -> [String: Int64] {
    var stored: [String: Int64] = [:]
    let statement = try connection.prepare("SELECT table_name, next FROM contrail_key")
    while try statement.step() { stored[statement.text(0)] = statement.integer(1) }
    return plan.keySources.compactMapValues { sources in sources.compactMap { stored[$0] }.max() }
  }

  private func write(_ table: String, _ next: Int64) throws(SQLiteError) {
    let statement = try connection.prepare(
      """
      INSERT INTO contrail_key (table_name, next) VALUES (?1, ?2) \
      ON CONFLICT DO UPDATE SET next = max(next, ?2)
      """)
    statement.bind(1, table)
    statement.bind(2, next)
    try statement.run()
    // Objects whose keys were shifted have keys beyond the counters of both tables.
    let isShared = try connection.prepare("SELECT ifnull(max(_id), 0) + 1 FROM \(quoted(table))")
    guard try isShared.step(), isShared.integer(0) > next else { return }
    let last = isShared.integer(0)
    isShared.reset()
    statement.bind(1, table)
    statement.bind(2, last)
    try statement.run()
  }

  /// History names objects by keys, so it follows those whose keys were shifted.
  private func movedEntities(_ plan: MigrationPlan) -> [String] {
    plan.shiftedEntities.map { number in
      """
      UPDATE contrail_change SET key = key + (SELECT shift FROM contrail_moved \
      WHERE entity = \(number) ORDER BY number DESC LIMIT 1) WHERE entity = \(number)
      """
    }
  }
}

extension Store {
  /// The author, in history, of everything that a migration writes.
  public static let migrationAuthor = "contrail.migration"
  /// The author of what the code of a migration's stage writes, where that is to be sent.
  public static let sentMigrationAuthor = "contrail.migration.sent"
}

/// How far a migration has come.
public struct MigrationProgress: Sendable, Hashable {
  /// The stage that runs; nil for an inferred migration.
  public var stage: String?
  /// Which step is beginning, from 1.
  public var step: Int
  /// How many steps there are.
  public var stepCount: Int
  /// What the step does.
  public var title: String
}

/// The list of migrations that a store has been through.
struct MigrationJournal {
  let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Adds a migration to the list.
  func note(_ plan: MigrationPlan, stage: String?, time: Date, transaction: Int64?)
    throws(SQLiteError)
  {
    let statement = try connection.prepare(
      """
      INSERT INTO contrail_migration (time, source, target, stage, transaction_number) \
      VALUES (?1, ?2, ?3, ?4, ?5)
      """)
    statement.bind(1, time.timeIntervalSinceReferenceDate)
    statement.bind(2, plan.source.versionHash.description)
    statement.bind(3, plan.target.versionHash.description)
    if let stage { statement.bind(4, stage) } else { statement.bindNull(4) }
    if let transaction { statement.bind(5, transaction) } else { statement.bindNull(5) }
    try statement.run()
  }
}

/// Puts other numbers of properties into the history of one entity.
///
/// That is rare: a property moved to several entities at once, or from several to one.
struct HistoryRenumbering {
  let entity: Int
  let numbers: [Int: Int]

  func run(_ connection: Connection) throws(SQLiteError) {
    let read = try connection.prepare(
      """
      SELECT number, properties, tombstone FROM contrail_change \
      WHERE entity = ?1 AND (properties IS NOT NULL OR tombstone IS NOT NULL)
      """)
    read.bind(1, Int64(entity))
    let write = try connection.prepare(
      "UPDATE contrail_change SET properties = ?2, tombstone = ?3 WHERE number = ?1")
    while try read.step() {
      let properties = read.isNull(1) ? nil : PropertyList.numbers(read.bytes(1))
      let tombstone = read.isNull(2) ? nil : Tombstone.values(read.bytes(2))
      write.bind(1, read.integer(0))
      if let properties {
        write.bind(2, PropertyList.bytes(properties.map { numbers[$0] ?? $0 }))
      } else {
        write.bindNull(2)
      }
      if let tombstone { write.bind(3, bytes(tombstone)) } else { write.bindNull(3) }
      try write.run()
    }
  }

  private func bytes(_ values: [Int: FieldValue]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (number, value) in values.sorted(by: { $0.key < $1.key }) {
      TombstoneValue.append(numbers[number] ?? number, value, to: &bytes)
    }
    return bytes
  }
}
