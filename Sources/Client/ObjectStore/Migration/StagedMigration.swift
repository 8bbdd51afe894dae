import DataModel
import SQLiteDriver

/// Brings a store through the stages of a plan, part by part; each part is one transaction, and the
/// store says which is next.
extension MigrationDriver {
  func migrate(_ stages: MigrationStages) throws {
    // Each version takes three parts at most, and one more leads to the schema that is asked for.
    let partsMax = 3 * (stages.versions.count + 2)
    for _ in 0..<partsMax {
      var isDone = false
      try exclusively { isDone = try runNextPart(stages) }
      if isDone { return }
    }
    throw StoreError(.migrationFailed, subject, "the plan leads nowhere")
  }

  /// Runs what is next; true when there is nothing left.
  private func runNextPart(_ stages: MigrationStages) throws -> Bool {
    let facts = try StoreFacts.read(connection, kind: location.kind, subject: subject)
    if let text = facts.pendingStage {
      guard let state = StageState(text),
        let stage = stages.stages.first(where: {
          $0.source.description == state.source && $0.target.description == state.target
        }), let place = stages.place(stage.target)
      else { throw StoreError.pendingStage(subject) }
      switch state.part {
      case .before: try change(facts, stage, stages.versions[place])
      case .changed: try finish(facts, stage)
      }
      return false
    }
    guard let leg = try stages.leg(from: facts.schema, to: schema) else {
      try join(stages, facts.schema)
      return false
    }
    switch leg {
    case .arrived: return true
    case .inferred(let target): try run(from: facts.schema, to: target, stage: nil)
    case .stage(let stage, let target):
      if !stage.isCustom {
        try run(from: facts.schema, to: target, stage: stage.label)
      } else if let willMigrate = stage.willMigrate {
        try call(facts, stage) { context, _ in try willMigrate(context) }
        try note(.before, stage)
      } else {
        try change(facts, stage, target)
      }
    }
    return false
  }

  /// A version that the plan does not list: by inference to the nearest that it does.
  private func join(_ stages: MigrationStages, _ stored: Schema) throws {
    let end = stages.place(schema.planHash).map { $0 + 1 } ?? stages.versions.count
    let catalogue = try Catalogue.read(connection)
    let plans = stages.versions.prefix(end).map {
      MigrationPlanner(from: stored, catalogue, to: $0).plan()
    }.filter { $0.losses.isEmpty }
    let nearest = plans.min { $0.forecast.steps.count < $1.forecast.steps.count }
    guard let nearest, try runner.problems(nearest).isEmpty else {
      throw StoreError(
        .unknownSchema, subject, "has a version that the migration plan does not list",
        fix: "add the schema that `syncctl` shows for the store to the plan's versions")
    }
    try runner.run(nearest, stage: nil)
    try follow(nearest)
  }

  /// Makes the change of a custom stage.
  ///
  /// What its closures cannot mend stands in the way here.
  private func change(_ facts: StoreFacts, _ stage: MigrationStages.Stage, _ target: Schema) throws
  {
    let keepsRemoved = stage.didMigrate != nil
    let plan = try MigrationPlanner(
      from: facts.schema, Catalogue.read(connection), to: target, keepsRemoved: keepsRemoved
    ).plan()
    let problems =
      keepsRemoved ? runner.refusals(plan) : try runner.problems(plan)
    if !problems.isEmpty { throw StoreError.cannotMigrate(subject, problems) }
    try runner.run(plan, stage: stage.label)
    try follow(plan)
    if keepsRemoved {
      try StageTable(connection: connection).write(plan)
      try note(.changed, stage)
    } else {
      try forgetStage()
    }
  }

  /// Runs what follows the change, and drops what was kept for it.
  private func finish(_ facts: StoreFacts, _ stage: MigrationStages.Stage) throws {
    let table = StageTable(connection: connection)
    let removed = try table.removed()
    if let didMigrate = stage.didMigrate {
      try call(facts, stage) { context, store in
        try didMigrate(context, MigrationScratch(connection, store, removed))
      }
    }
    let problems = try runner.problems(after: table.checks())
    if !problems.isEmpty {
      throw StoreError(
        .migrationFailed, subject,
        "stage \(stage.label) leaves what the schema refuses; what it did was undone",
        fix: "mend it in the stage", failures: problems)
    }
    connection.forgetStatements()
    for sql in try table.leftovers() { try connection.execute(sql) }
    try table.drop()
    try forgetStage()
  }

  /// Hands a context on the store as it is to a closure of the app, and saves what it changed.
  private func call(
    _ facts: StoreFacts, _ stage: MigrationStages.Stage,
    _ body: (ModelContext, Store) throws -> Void
  ) throws {
    try lend(facts) { store in
      let context = ModelContext(store)
      context.author = stage.sendsValues ? Store.sentMigrationAuthor : Store.migrationAuthor
      try body(context, store)
      try context.save()
    }
  }

  private func note(_ part: StageState.Part, _ stage: MigrationStages.Stage) throws(SQLiteError) {
    try StoreFacts.write(
      StoreFacts.Name.pendingStage, StageState(part, stage).text, connection)
  }

  private func forgetStage() throws(SQLiteError) {
    try connection.execute(
      "DELETE FROM contrail_store WHERE name = \(SQLLiteral.text(StoreFacts.Name.pendingStage))")
  }
}
