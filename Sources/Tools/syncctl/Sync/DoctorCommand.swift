import CommandKit
import DataModel
import JSONStream
import ObjectStore
import RecordWire
import SyncClient
import SyncCore

let doctorCommand = Command(
  "doctor",
  summary: "Look for what keeps a store from being synced, from the file to the server.",
  discussion: """
    One check after the other: the file, its sync, the way to the server, the credentials, the zone, and
    what production lacks of the store's schema. What is wrong has the next command beside it. Nothing is
    changed, neither here nor there.
    """,
  arguments: [.init("STORE", "an SQLite store")],
  options: Command.Option.userCredentials + [.json],
  examples: [.init("syncctl doctor log.sqlite", "why is nothing synced?")],
  exits: [
    .init(.ok, "nothing is wrong"), .init(.attention, "something is; it is listed"), .unreadable,
    .damaged,
  ],
  run: { call in
    var doctor = Doctor(path: call.arguments[0])
    try doctor.examine(call)
    if call.has("json") {
      try call.console.write([
        "format": "contrail-doctor-1", "checks": .list(doctor.findings.map(\.json)),
      ])
    } else {
      call.console.writeText(doctor.findings.map(\.text).joined())
    }
    return doctor.findings.allSatisfy { $0.fix == nil } ? .ok : .attention
  })

/// What a check has found.
private struct Finding {
  var check: String
  var words: String
  /// What to do about it; nil where nothing is wrong.
  var fix: String?

  var json: JSONValue {
    [
      "check": .string(check), "ok": .truth(fix == nil), "message": .string(words),
      "fix": .maybe(fix),
    ]
  }

  var text: String {
    let name = check.padding(to: 12)
    guard let fix else { return "ok   \(name) \(words)\n" }
    return
      "\u{2717}    \(name) \(words)\n     \(String(repeating: " ", count: 12)) \u{2192} \(fix)\n"
  }
}

extension String {
  fileprivate func padding(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}

private struct Doctor {
  let path: String
  private(set) var findings: [Finding] = []

  init(path: String) { self.path = path }

  private mutating func note(_ check: String, _ words: String, fix: String? = nil) {
    findings.append(Finding(check: check, words: words, fix: fix))
  }

  /// Runs the checks; one that needs what an earlier one has not found is left out.
  mutating func examine(_ call: Invocation) throws {
    let store = try StoreFiles.open(path)
    let entities = try StoreFiles.facts(at: path).schema.entities.count
    note("file", "a store with \(counted(entities, "entity", plural: "entities"))")
    guard let configuration = try examineSync(store) else { return }
    let isMapped = try examineMapping(store, configuration)
    let questions: ServerQuestions
    do {
      questions = ServerQuestions(transport: try recordTransport(configuration, call))
    } catch let error as UsageError {
      return note("credentials", error.message, fix: error.fix)
    }
    guard examineServer(questions, configuration) else { return }
    examineZone(questions, configuration)
    if isMapped { try examineProduction(questions, store, configuration) }
  }

  private mutating func examineSync(_ store: Store) throws -> SyncConfiguration? {
    let status: SyncStatus
    do {
      status = try SyncStatus.read(store)
    } catch let error as SyncError where error.code == .notSetUp {
      note(
        "sync", "is not set up",
        fix: "syncctl init \(path) --server https://host --container NAME")
      return nil
    }
    note("sync", "\(status.server), \(status.container), \(status.environment)")
    if let trouble = status.trouble {
      note("trouble", trouble.words, fix: "syncctl resolve \(path)")
    }
    if let obstacle = status.obstacle {
      note(
        "passes", "do not come to their end: \(obstacle.words)", fix: "syncctl sync \(path)")
    }
    if status.failed > 0 {
      note(
        "changes", "\(counted(status.failed, "change")) not taken by the server",
        fix: "syncctl failed \(path)")
    } else if status.pending > 0 {
      note(
        "changes", "\(counted(status.pending, "change")) to be sent", fix: "syncctl sync \(path)")
    } else {
      note("changes", "nothing is left to be sent")
    }
    return try SyncConfiguration(of: store)
  }

  /// Whether everything has a place in a record.
  private mutating func examineMapping(
    _ store: Store, _ configuration: SyncConfiguration
  ) throws -> Bool {
    do {
      try configuration.check(store)
      note("schema", "everything has a place in a record")
      return true
    } catch let error as UnsyncableSchema {
      note("schema", "\(error)", fix: "syncctl lint \(path)")
      return false
    }
  }

  /// Whether there is a server that knows us.
  private mutating func examineServer(
    _ questions: ServerQuestions, _ configuration: SyncConfiguration
  ) -> Bool {
    do {
      let body = try questions.ask(SyncCall("users/caller", in: .database(.public)))
      let user = try UserIdentity(json: body).userRecordName
      note("server", "answers")
      note("credentials", "it knows us as \(user ?? "somebody without a name")")
      return true
    } catch let failure as RequestFailure where failure.isAboutCredentials {
      note("server", "answers")
      note(
        "credentials", "the server refuses them: \(failure.reason)",
        fix: "recordd user token USER --container \(configuration.container)")
    } catch let failure as RequestFailure {
      note(
        "server", "refuses: \(failure)",
        fix: "see what answers there: curl \(configuration.server)/health")
    } catch {
      note(
        "server", "gives no answer: \(error)",
        fix: "see what answers there: curl \(configuration.server)/health")
    }
    return false
  }

  private mutating func examineZone(
    _ questions: ServerQuestions, _ configuration: SyncConfiguration
  ) {
    do {
      let body = try questions.ask(
        SyncCall("zones/list", in: .database(.private), method: .get))
      let isThere = try ZonesResponse(json: body).zones.contains { result in
        if case .zone(let zone) = result {
          zone.zone.name == configuration.zone.name
        } else {
          false
        }
      }
      note(
        "zone", "\(configuration.zone.name) \(isThere ? "is there" : "is made by the first sync")")
    } catch {
      note("zone", "the zones cannot be listed: \(error)", fix: "syncctl zones \(path)")
    }
  }

  private mutating func examineProduction(
    _ questions: ServerQuestions, _ store: Store, _ configuration: SyncConfiguration
  ) throws {
    guard configuration.environment == SyncConfiguration.production else {
      return note("production", "not asked: development takes what it gets")
    }
    let request = try configuration.schemaCheck(of: store)
    do {
      let body = try questions.ask(
        SyncCall("schema/check", in: .environmentExtension, body: try request.json()))
      let lacks = try SchemaCheckResponse(json: body).lacks
      if lacks.isEmpty { return note("production", "has all that the store writes") }
      let names = lacks.map { $0.recordType + ($0.field.map { ".\($0)" } ?? "") }
      note(
        "production", "lacks \(names.joined(separator: ", "))",
        fix: "syncctl schema import \(path), then syncctl promote \(path)")
    } catch {
      note("production", "does not say what it lacks: a sync learns it from refusals")
    }
  }
}
