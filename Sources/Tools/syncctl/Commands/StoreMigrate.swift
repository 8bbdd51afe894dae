import CommandKit
import DataModel
import Foundation
import JSONStream
import ObjectStore

let storeMigrateCommand = Command(
  "migrate",
  summary: "Bring a store to another version of its schema.",
  discussion: """
    All that stands in the way is said at once, and nothing is changed then. Data is lost only with
    --accept-loss. A copy is made first, as STORE.before-migration. What needs a custom stage is for
    the program that has the stage.
    """,
  arguments: [.init("STORE", storeKinds)],
  options: [
    .value("to", "SCHEMA", "the schema that the store is to have: \(schemaKinds)"),
    .flag("dry-run", "say what would be done, and change nothing"),
    .flag("sql", "with --dry-run: show the statements of each step"),
    .flag("accept-loss", "migrate also where the new schema has no place for some data"),
    .flag("no-backup", "make no copy first"), .json,
  ],
  examples: [
    .init("syncctl migrate log.sqlite --to FlightLog.xcdatamodeld --dry-run", "what would happen?"),
    .init("syncctl migrate log.sqlite --to FlightLog.xcdatamodeld", "do it, with a copy first"),
    .init(
      "syncctl migrate log.sqlite --to FlightLog.xcdatamodeld --accept-loss",
      "and let go of what the new schema has no place for"),
  ],
  exits: [
    .init(.ok, "the store has the schema, or with --dry-run: could be brought to it"),
    .init(.findings, "something stands in the way, or data would be lost; nothing was changed"),
    .unreadable, .damaged, .busy,
  ],
  run: { call in
    guard let schema = call.value("to") else {
      throw UsageError("migrate needs a schema", fix: "add --to SCHEMA")
    }
    if call.has("sql"), !call.has("dry-run") {
      throw UsageError("--sql shows what --dry-run would do", fix: "add --dry-run")
    }
    let plan = try StorePlan(
      call.arguments[0], to: schema, isStrict: false, SchemaFiles(call.console))
    return try StoreMigration(call: call, plan: plan).run()
  })

/// One run of a migration.
private struct StoreMigration {
  let call: Invocation
  let plan: StorePlan

  private var isDry: Bool { call.has("dry-run") }
  private var isJSON: Bool { call.has("json") }
  private var isLossy: Bool { !plan.plan.losses.isEmpty && !call.has("accept-loss") }
  private var isRefused: Bool { !plan.plan.problems.isEmpty || isLossy }

  func run() throws -> ExitCode {
    if plan.isDone {
      try report("\(plan.path) has this schema already; nothing was changed\n", isMigrated: false)
      return .ok
    }
    if isDry {
      let steps = plan.plan.problems.isEmpty ? plan.stepsText(showsSQL: call.has("sql")) : ""
      let loss = isLossy ? "the run needs --accept-loss\n" : ""
      try report(
        plan.listing.text + "\n" + plan.dataText + steps + loss + "nothing was changed\n",
        isMigrated: false)
      return isRefused ? .findings : .ok
    }
    if isRefused {
      if isJSON { try report("", isMigrated: false) }
      call.console.writeError(refusal)
      return .findings
    }
    let backup = try call.has("no-backup") ? nil : makeBackup()
    do {
      try migrate()
    } catch {
      call.console.showProgress("")
      // The copy is of no use where nothing was changed.
      if let backup, (try? Store.facts(at: plan.path))?.schema == plan.plan.source {
        try? Store.destroy(at: backup)
      }
      throw error
    }
    let count = plan.plan.steps.count
    let copy = backup.map { "; the store as it was is \($0)" } ?? ""
    try report(
      "migrated \(plan.path) in \(counted(count, "step"))\(copy)\n", isMigrated: true,
      backup: backup)
    return .ok
  }

  private func report(_ text: String, isMigrated: Bool, backup: String? = nil) throws {
    if isJSON { return try call.console.write(plan.json(isMigrated: isMigrated, backup: backup)) }
    call.console.writeText(text)
  }

  /// All that keeps the store from being migrated.
  private var refusal: String {
    var text = ""
    let problems = plan.plan.problems
    if !problems.isEmpty {
      let count = problems.count == 1 ? "1 thing stands" : "\(problems.count) things stand"
      text += "syncctl: error: \(plan.path) cannot be migrated: \(count) in the way\n"
      text += problems.flatMap { $0.lines(indent: "  ") }.map { $0 + "\n" }.joined()
    }
    if isLossy {
      text += "syncctl: error: \(plan.path) would lose data\n"
      text += plan.plan.losses.map { "  loses \($0)\n" }.joined()
      text += "  fix  change the schema, or add --accept-loss to let go of it\n"
    }
    return text + "nothing was changed\n"
  }

  /// Copies the store as it is, while others may use it, and says where.
  private func makeBackup() throws -> String {
    let path = plan.path + ".before-migration"
    guard !FileManager.default.fileExists(atPath: path) else {
      throw StoreError(
        .cannotOpen, path, "is in the way of the copy; nothing was changed",
        fix: "move it away, or add --no-backup")
    }
    call.console.showProgress("copying to \(path)")
    defer { call.console.showProgress("") }
    try StoreFiles.open(plan.path).copy(
      to: Store.Location(plan.facts.kind, path: path), keepsIdentifier: true)
    return path
  }

  private func migrate() throws {
    var options = Store.Options()
    let console = call.console
    options.migrationProgress = { progress in
      console.showProgress("\(progress.step)/\(progress.stepCount)  \(progress.title)")
    }
    _ = try Store(
      at: Store.Location(plan.facts.kind, path: plan.path), schema: plan.target, options: options)
    console.showProgress("")
  }
}
