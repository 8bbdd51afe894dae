import CommandKit
import DataModel
import JSONStream
import ObjectStore
import SchemaFormats

let schemaPlanCommand = Command(
  "schema", "plan",
  summary: "Say what each change asks of a migration, and what data would be lost.",
  discussion: """
    Each change is automatic, needs a custom stage, or is refused. One package alone: each version
    with the next. With --strict every type change and every new required relationship needs a stage,
    which is what Core Data's inference is sure of. Where OLD is a store, its data is asked as well,
    and only what stands in the way of that counts; nothing is written.
    """,
  arguments: [
    .init("OLD", "the schema before, a package with all its versions, or a store"),
    .init("NEW", "the schema after: \(schemaKinds)", count: .optional),
  ],
  options: [.json, .flag("strict", "be no bolder than Core Data's inference")],
  examples: [
    .init("syncctl schema plan FlightLog.xcdatamodeld", "every step of a package's history"),
    .init("syncctl schema plan log.sqlite FlightLog.xcdatamodeld", "of this very store"),
    .init("syncctl schema plan shipped.json FlightLog.xcdatamodeld --strict", "one step"),
  ],
  exits: [
    .init(.ok, "every change is automatic, or nothing stands in the store's way"),
    .init(.findings, "a change needs a stage or is refused, or the store's data stands in the way"),
    .unreadable, .damaged, .busy,
  ],
  run: { call in
    if call.arguments.count == 2, try StoreFiles.isStore(call.arguments[0]) {
      return try planStore(call)
    }
    let pairs = try VersionPairs(call, command: "schema plan").pairs
    let plans = try pairs.map { try MigrationListing($0.old, $0.new, isStrict: call.has("strict")) }
    if call.has("json") {
      try call.console.write(JSONValue(.array(plans.map(\.json))))
    } else {
      call.console.writeText(plans.map(\.text).joined(separator: "\n"))
    }
    return plans.allSatisfy { $0.forecast.verdict == .automatic } ? .ok : .findings
  })

/// Says what a migration asks of a store and its data.
private func planStore(_ call: Invocation) throws -> ExitCode {
  let isStrict = call.has("strict")
  let plan = try StorePlan(
    call.arguments[0], to: call.arguments[1], isStrict: isStrict, SchemaFiles(call.console))
  if call.has("json") {
    try call.console.write(JSONValue.list([plan.listingJSON]))
  } else {
    call.console.writeText(plan.listing.text + "\n" + plan.dataText)
  }
  let isRefused = isStrict && plan.listing.forecast.verdict != .automatic
  return plan.plan.problems.isEmpty && !isRefused ? .ok : .findings
}

/// The forecast of one migration with the names of its versions.
struct MigrationListing {
  let old: SchemaDocument
  let new: SchemaDocument
  let forecast: MigrationForecast

  init(_ old: SchemaDocument, _ new: SchemaDocument, isStrict: Bool) throws {
    guard let before = old.schema, let after = new.schema else {
      let file = old.schema == nil ? old.file : new.file
      throw UsageError(
        "\(file) holds record types, and a store holds entities",
        fix: "name .xcdatamodeld, .xcdatamodel or Contrail JSON files of entities")
    }
    self.old = old
    self.new = new
    forecast = MigrationForecast(from: before, to: after, rule: isStrict ? .strict : .lenient)
  }

  var text: String {
    var text = "\(old.shownLabel) → \(new.shownLabel): \(summary)\n"
    for verdict in MigrationForecast.Verdict.allCases.reversed() {
      for step in forecast.steps where step.verdict == verdict {
        text += "  \(verdict.words)  \(step.change)\n"
        text += "    \(step.reason)\n"
        if let loss = step.loss { text += "    loses \(loss)\n" }
      }
    }
    return text
  }

  /// `needs a stage (2 automatic, 1 needs a stage)`.
  private var summary: String {
    if forecast.steps.isEmpty { return "nothing to do" }
    let counts = MigrationForecast.Verdict.allCases.compactMap { verdict -> String? in
      let count = forecast.steps.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(verdict.words)"
    }
    return "\(forecast.verdict.words) (\(counts.joined(separator: ", ")))"
  }

  var json: JSONValue {
    [
      "from": .string(old.shownLabel), "to": .string(new.shownLabel),
      "verdict": .string(forecast.verdict.rawValue),
      "steps": JSONValue(.array(forecast.steps.map(\.json))),
    ]
  }
}

extension MigrationForecast.Step {
  var json: JSONValue {
    var members = change.json.members ?? []
    members.append(JSONMember("verdict", .string(verdict.rawValue)))
    members.append(JSONMember("reason", .string(reason)))
    members.append(JSONMember("loss", loss.map { .string($0) } ?? nil))
    return JSONValue(.object(members))
  }
}
