import CommandKit
import Glibc
import ObjectStore
import SyncClient
import SyncCore

let migrateContainerCommand = Command(
  "migrate-container",
  summary: "Copy a synced store and its records to another container.",
  discussion: """
    A copy of the store is made, all its records are sent to the new container, and both are compared at
    the end. The store and its container are not changed; go on with the copy when you like what you see.
    It can be cut at any moment: the same command goes on from there. Credentials are those for the new
    container.
    """,
  arguments: [.init("STORE", "an SQLite store that is in sync")],
  options: [
    .value("to", "FILE", "the copy; STORE-CONTAINER unless given"),
    .value("server", "URL", "the new container's server; the store's own unless given"),
    .value("container", "NAME", "the new container"),
    .environment("which of its environments; the store's own unless given"),
  ] + Command.Option.userCredentials,
  examples: [
    .init(
      "syncctl migrate-container log.sqlite --container org.example.new",
      "then go on with log.sqlite-org.example.new")
  ],
  exits: [
    .init(.ok, "done, and compared"),
    .init(.attention, "something differs, or has to be decided"),
    .init(.schema, "records wait until production has a type or a field"),
    .init(.credentials, "the server wants credentials, or refuses those that it got"),
    .init(.network, "the server gave no answer"), .unreadable, .damaged, .busy,
  ],
  run: { call in
    guard let container = call.value("container") else {
      throw UsageError("migrate-container needs a container", fix: "add --container NAME")
    }
    let path = call.arguments[0]
    let original = try StoreFiles.open(path)
    var configuration = try original.syncedConfiguration(path)
    if let url = call.value("server") {
      configuration.server =
        try ServerAddress(url, allowsPlainHTTP: call.has("insecure-http")).base
    }
    configuration.container = container
    configuration.environment = call.value("environment") ?? configuration.environment
    let target = call.value("to") ?? "\(path)-\(container)"
    if access(target, F_OK) != 0 {
      call.console.showProgress("copying to \(target)")
      try original.copy(to: .file(target))
    }
    return try move(target, to: configuration, call)
  })

private func move(
  _ path: String, to configuration: SyncConfiguration, _ call: Invocation
) throws -> ExitCode {
  let file = try SyncedStoreFile(path)
  try file.store.moveSync(to: configuration)
  let engine = try SyncEngine(
    file.store, configuration, transport: try recordTransport(configuration, call))
  let display = SyncDisplay(call.console, isJSON: false)
  let (summary, found) = try Blocking.run {
    () async -> Result<(SyncSummary, SyncVerification?), any Error> in
    let events = await engine.events()
    let shown = Task { for await event in events { display.showProgress(of: event) } }
    defer { shown.cancel() }
    do {
      let summary = try await engine.sync()
      guard summary.outcome == .complete else { return .success((summary, nil)) }
      return .success((summary, try await engine.verify(repair: false)))
    } catch {
      return .failure(error)
    }
  }.get()
  let code = try display.end(summary)
  guard let found else { return code }
  guard found.isEqual else {
    call.console.writeError("syncctl: the copy differs: syncctl verify \(path)\n")
    return .attention
  }
  call.console.writeText(
    """
    equal: \(counted(found.records, "record")) in \(configuration.container)
    next: go on with \(path); the store that it was made of is as it was

    """)
  return code
}
