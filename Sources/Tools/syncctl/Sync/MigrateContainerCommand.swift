import CommandKit
import Glibc
import JSONStream
import ObjectStore
import SyncClient
import SyncCore

let migrateContainerCommand = Command(
  "migrate-container",
  summary: "Copy a synced store and its records to another container.",
  discussion: """
    A copy of the store is made, all its records are sent to the new container, and both are compared at
    the end. The store and its container are not changed; go on with the copy when you like what you see.
    It can be cut at any moment: the same command goes on from there. A file that is there and is no such
    copy is left alone. Credentials are those for the new container.
    """,
  arguments: [.init("STORE", "an SQLite store that is in sync")],
  options: [
    .value("to", "FILE", "the copy; STORE-CONTAINER unless given"),
    .value("server", "URL", "the new container's server; the store's own unless given"),
    .value("container", "NAME", "the new container"),
    .environment("which of its environments; the store's own unless given"),
  ] + Command.Option.userCredentials + [.json],
  examples: [
    .init(
      "syncctl migrate-container log.sqlite --container org.example.new",
      "then go on with log.sqlite-org.example.new")
  ],
  exits: [
    .init(.ok, "done, and compared"),
    .init(.attention, "something differs, or has to be decided"),
    .init(.schema, "records wait until production has a type or a field"),
    .init(.pending, "the store has changes that its own container does not have yet"),
    .refusedCredentials, .noAnswer, .unreadable, .damaged, .busy,
  ],
  run: { call in try ContainerMove(call).run() })

/// One move of a store to another container, or of what is left of it to be done.
private struct ContainerMove {
  private let call: Invocation
  private let path: String
  private let target: String
  private let original: Store
  private let configuration: SyncConfiguration

  init(_ call: Invocation) throws {
    guard let container = call.value("container") else {
      throw UsageError("migrate-container needs a container", fix: "add --container NAME")
    }
    self.call = call
    path = call.arguments[0]
    target = call.value("to") ?? "\(path)-\(container)"
    original = try StoreFiles.open(path)
    let old = try original.syncedConfiguration(path)
    var new = old
    if let url = call.value("server") {
      new.server = try ServerAddress(url, allowsPlainHTTP: call.has("insecure-http")).base
    }
    new.container = container
    new.environment = call.value("environment") ?? old.environment
    configuration = new
    if new.isSamePlace(as: old) {
      throw UsageError(
        "\(path) is synced with \(container) already", fix: "name another one: --container NAME")
    }
  }

  func run() throws -> ExitCode {
    let isThere = try hasCopy()
    let transport = try recordTransport(configuration, call)
    if !isThere {
      call.console.showProgress("copying to \(target)")
      defer { call.console.showProgress("") }
      try original.copy(to: target, syncedWith: configuration)
    }
    let copy = try SyncedStoreFile(target).store
    try copy.moveSync(to: configuration)
    let display = SyncDisplay(call.console, isJSON: false)
    let engine = try SyncEngine(copy, configuration, transport: transport)
    let (summary, found) = try Blocking.run {
      () async -> Result<(SyncSummary, SyncVerification?), any Error> in
      do { return .success(try await exchange(engine, display)) } catch { return .failure(error) }
    }.get()
    return try report(summary, found, display)
  }

  /// Whether the copy is there already; throws for a file that is another one.
  private func hasCopy() throws -> Bool {
    guard access(target, F_OK) == 0 else { return false }
    if isSameFile(target, path) {
      throw UsageError(
        "\(target) is the store itself, which stays as it is", fix: "name another file: --to FILE")
    }
    guard try StoreFiles.open(target).isCopy(of: original, syncedWith: configuration) else {
      throw UsageError(
        "\(target) is there, and is no copy of \(path) for \(configuration.container)",
        fix: "name a file that is not there: --to FILE")
    }
    return true
  }

  private func report(
    _ summary: SyncSummary, _ found: SyncVerification?, _ display: SyncDisplay
  ) throws -> ExitCode {
    if call.has("json") {
      call.console.showProgress("")
      try call.console.write(json(summary, found))
      display.complain(of: summary)
    } else {
      _ = try display.end(summary)
    }
    guard let found else { return summary.exitCode }
    guard found.isEqual else {
      call.console.writeError("syncctl: the copy differs: syncctl verify \(target)\n")
      return .attention
    }
    if !call.has("json") {
      call.console.writeText(
        """
        equal: \(counted(found.records, "record")) in \(configuration.container)
        next: go on with \(target); the store that it was made of is as it was

        """)
    }
    return summary.exitCode
  }

  private func json(_ summary: SyncSummary, _ found: SyncVerification?) -> JSONValue {
    [
      "format": "contrail-migrate-container-1", "file": .string(target),
      "server": .string(configuration.server), "container": .string(configuration.container),
      "environment": .string(configuration.environment), "sync": summary.json,
      "equal": found.map { .truth($0.isEqual) } ?? nil,
      "records": .maybe(found.map { Int64($0.records) }),
    ]
  }
}

/// Sends everything, and compares both ends where that is done.
private func exchange(
  _ engine: SyncEngine, _ display: SyncDisplay
) async throws -> (SyncSummary, SyncVerification?) {
  let events = await engine.events()
  let shown = Task { for await event in events { display.showProgress(of: event) } }
  defer { shown.cancel() }
  let summary = try await engine.sync()
  guard summary.outcome == .complete else { return (summary, nil) }
  return (summary, try await engine.verify(repair: false))
}

/// Whether two names lead to one file, by links of whatever kind.
private func isSameFile(_ one: String, _ other: String) -> Bool {
  var (first, second) = (stat(), stat())
  guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}

extension SyncConfiguration {
  fileprivate func isSamePlace(as other: SyncConfiguration) -> Bool {
    server == other.server && container == other.container && environment == other.environment
  }
}
