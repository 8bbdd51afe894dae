import CommandKit
import DataModel
import FoundationEssentials
import JSONStream
import RecordWire
import SyncClient
import SyncCore

let syncCommand = exchange(
  "sync", .both, "Exchange changes with the record server, in both directions.",
  "read what others did, send what was done here")
let pushCommand = exchange(
  "push", .push, "Send what was done here to the record server.", "send what was done here")
let pullCommand = exchange(
  "pull", .pull, "Read what others did from the record server.", "read what others did")

private func exchange(
  _ name: String, _ direction: SyncMachine.Direction, _ summary: String, _ example: String
) -> Command {
  Command(
    name,
    summary: summary,
    discussion: """
      Nothing is lost however it ends: what was begun is gone on with by the next run. A change that the
      server does not take is kept, with its reason: syncctl failed STORE.
      """,
    arguments: [.init("STORE", "an SQLite store that syncctl init has set up")],
    options: Command.Option.userCredentials + [.json]
      + (direction == .both
        ? [.flag("watch", "go on until Ctrl-C: changes go both ways at once")] : []),
    examples: [.init("syncctl \(name) log.sqlite", example)]
      + (direction == .both
        ? [.init("syncctl sync log.sqlite --watch", "keep it in sync until Ctrl-C")] : []),
    exits: Command.ExitMeaning.exchange,
    run: { call in try run(call, direction) })
}

private func run(_ call: Invocation, _ direction: SyncMachine.Direction) throws -> ExitCode {
  let file = try SyncedStoreFile(call.arguments[0])
  var configuration = try file.configuration()
  configuration.machine.direction = direction
  let engine = try SyncEngine(
    file.store, configuration, transport: try file.transport(configuration, call))
  let display = SyncDisplay(call.console, isJSON: call.has("json"))
  if call.has("watch") { return try watch(engine, display) }
  let summary = try Blocking.run { () async -> Result<SyncSummary, any Error> in
    let events = await engine.events()
    let shown = Task { for await event in events { display.showProgress(of: event) } }
    defer { shown.cancel() }
    do { return .success(try await engine.sync()) } catch { return .failure(error) }
  }.get()
  return try display.end(summary)
}

extension SyncSummary {
  /// The numbers, and what stood in the way.
  var json: JSONValue {
    [
      "format": "contrail-sync-1", "complete": .truth(outcome == .complete),
      "message": .maybe(complaint),
      "pushed": .integer(Int64(pushed)), "pulled": .integer(Int64(pulled)),
      "merged": .integer(Int64(merged)), "pending": .integer(Int64(pending)),
      "parked": .integer(Int64(parked)), "failed": .integer(Int64(failed)),
      "awaitedFiles": .integer(Int64(awaitedFiles)), "missingFiles": .integer(Int64(missingFiles)),
      "trouble": .maybe(outcome.trouble?.rawValue),
    ]
  }
}

let initCommand = Command(
  "init",
  summary: "Set a store up to be synced with a record server.",
  discussion: """
    The server is not asked yet. What the store has already is sent as new by the first sync. A store is
    synced with one container.
    """,
  arguments: [.init("STORE", "an SQLite store; one that is not there is made with --schema")],
  options: [
    .value("schema", "FILE", "make the store, with this schema: \(schemaKinds)"),
    .value("server", "URL", "the record server: https://host; http:// for this machine"),
    .value("container", "NAME", "the container"),
    .environment("which of the container's environments; production unless given"),
    .value(
      "profile", "NAME", choices: MappingProfile.allCases.map(\.rawValue),
      "how objects become records: native, or coreData for a container that an app fills already"),
    .value("zone", "NAME", "the zone; the profile's own unless given"),
    .flag("insecure-http", "allow plain HTTP to another machine"), .json,
  ],
  examples: [
    .init(
      "syncctl init log.sqlite --server https://records.example.com --container org.example.log",
      "then: syncctl sync log.sqlite"),
    .init(
      "syncctl init copy.sqlite --schema FlightLog.xcdatamodeld --server https://records.example.com "
        + "--container org.example.log", "a new store, to be filled by a pull"),
  ],
  exits: [.done, .unsyncable, .unreadable, .damaged, .busy],
  run: { call in
    guard let url = call.value("server"), let container = call.value("container") else {
      throw UsageError(
        "init needs a server and a container", fix: "add --server https://host --container NAME")
    }
    if let schema = call.value("schema") {
      try SyncedStoreFile.make(call.arguments[0], schema, SchemaFiles(call.console))
    }
    let file = try SyncedStoreFile(call.arguments[0])
    let address = try ServerAddress(url, allowsPlainHTTP: call.has("insecure-http"))
    var configuration = SyncConfiguration(
      server: address.base, container: container,
      environment: call.value("environment") ?? SyncConfiguration.production,
      profile: call.value("profile").flatMap(MappingProfile.init(rawValue:)) ?? .native)
    if let zone = call.value("zone") { configuration.zone.name = zone }
    try configuration.setUp(file.store)
    if call.has("json") {
      try call.console.write(configuration.json(of: file.path))
      return .ok
    }
    call.console.writeText(
      """
      \(file.path) → \(address.base)  \(container) · \(configuration.environment)
      next: syncctl sync \(file.path)

      """)
    return .ok
  })

extension SyncConfiguration {
  /// With what a store is synced from now on.
  fileprivate func json(of path: String) -> JSONValue {
    [
      "format": "contrail-init-1", "file": .string(path), "server": .string(server),
      "container": .string(container), "environment": .string(environment),
      "zone": .string(zone.name), "profile": .string(profile.rawValue),
    ]
  }
}
