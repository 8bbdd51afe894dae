import DataModel
import Foundation
import ObjectStore
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

/// An engine that forgot somebody would never answer: so these have a limit.
@Suite(.timeLimit(.minutes(5))) struct EngineTests {
  let hall = RecordHall()
  let store: Store

  init() throws { store = try Store(at: .memory, schema: TwoDevicesTests.schema) }

  private func engine(_ store: Store? = nil, isAutomatic: Bool = false) throws -> SyncEngine {
    var configuration = SyncConfiguration(
      server: "hall", container: "test", environment: "development")
    configuration.machine.attemptsMax = 1
    configuration.machine.isAutomatic = isAutomatic
    configuration.machine.debounceMilliseconds = 10
    return try SyncEngine(
      store ?? self.store, configuration, transport: HallTransport(hall: hall))
  }

  private func insert(_ tail: String) throws {
    let context = ModelContext(store)
    try context.insert("Entry").setValue("tail", .string(tail))
    try context.save()
  }

  @Test func `a pass can be waited for, and tells what it did`() async throws {
    try insert("N1")
    let engine = try engine()
    let first = try await engine.sync()
    #expect(first.description == "pushed 1, pulled 0, merged 0, pending 0, parked 0, failed 0")
    let second = try await engine.sync()
    #expect(second.outcome == .complete)
    #expect(second.pushed == 0)
    #expect(try await engine.status().records == 1)
  }

  @Test func `many who ask at once are all answered`() async throws {
    try insert("N1")
    let engine = try engine()
    let outcomes = try await withThrowingTaskGroup(of: SyncMachine.Outcome.self) { group in
      for _ in 0..<8 { group.addTask { try await engine.sync().outcome } }
      var all: [SyncMachine.Outcome] = []
      for try await outcome in group { all.append(outcome) }
      return all
    }
    #expect(outcomes == Array(repeating: .complete, count: 8))
  }

  @Test func `whoever asks while a pass ends in trouble is told of it, and does not wait for ever`()
    async throws
  {
    hall.setGate { call in
      call.path == "users/caller" ? .answer(RequestFailure(.authenticationFailed)) : .pass
    }
    let engine = try engine()
    async let first = engine.sync()
    async let second = engine.sync()
    let outcomes = try await [first.outcome, second.outcome]
    #expect(outcomes == [.signIn(redirectURL: nil), .signIn(redirectURL: nil)])
    hall.setGate(nil)
    #expect(try await engine.sync().outcome == .complete)
  }

  @Test func `no answer ends a pass, and what was to be sent stays`() async throws {
    try insert("N1")
    hall.setGate { _ in .loseRequest }
    let engine = try engine()
    let summary = try await engine.sync()
    #expect(summary.outcome == .unreachable("lost"))
    #expect(summary.pending == 1)
  }

  @Test func `an engine that was stopped says so, and leaves the store to others`() async throws {
    let engine = try engine()
    await engine.stop()
    let stopped = SyncError(.stopped, "the engine", "was stopped", fix: "make another one")
    await #expect(throws: stopped) { try await engine.sync() }
    await #expect(throws: stopped) { try await engine.verify() }
    await #expect(throws: stopped) { try await engine.resolve(.reupload) }
    await #expect(throws: stopped) { try await engine.retryFailedChanges() }
    await #expect(throws: stopped) { try await engine.recreateFailedChanges() }
    await #expect(throws: stopped) { try await engine.discardFailedChanges() }
    // Who listens from now on hears that there is nothing more to hear.
    for await _ in await engine.events() { Issue.record("something happened") }
  }

  @Test
  func
    `an engine that nobody holds is gone, though its next pass is to come; one that was started stays`()
    async throws
  {
    weak var held: SyncEngine?
    do {
      let engine = try engine(isAutomatic: true)
      try await engine.sync()
      held = engine
    }
    while held != nil { await Task.yield() }
    do {
      let engine = try engine()
      await engine.start()
      held = engine
    }
    try insert("N1")
    let started = try #require(held)
    while try await started.status().records == 0 { await Task.yield() }
    await started.stop()
  }

  @Test func `a status tells what keeps passes from their end, since when, until one comes to it`()
    async throws
  {
    let engine = try engine()
    #expect(try await engine.status().obstacle == nil)
    hall.setGate { _ in .loseRequest }
    try await engine.sync()
    let first = try #require(try SyncStatus.read(store).obstacle)
    #expect((first.kind, first.reason) == (.unreachable, "lost"))
    #expect(try !SyncStatus.read(store).isIdle)
    try await engine.sync()
    #expect(try SyncStatus.read(store).obstacle == first)
    hall.setGate { call in
      call.path == "users/caller" ? .answer(RequestFailure(.authenticationFailed)) : .pass
    }
    try await engine.sync()
    #expect(try SyncStatus.read(store).obstacle?.kind == .signIn)
    hall.setGate(nil)
    try await engine.sync()
    #expect(try SyncStatus.read(store).isIdle)
  }

  @Test func `an engine that waits for a server says until when`() async throws {
    hall.setGate { _ in .answer(RequestFailure(.throttled, retryAfter: 3_600)) }
    let engine = try engine(isAutomatic: true)
    await engine.start()
    var waiting: SyncStatus?
    for await status in engine.states where status.waitingUntil != nil {
      waiting = status
      break
    }
    #expect(
      waiting?.obstacle?.reason == "the server is busy, and wants to be asked again in 3600 s")
    #expect(waiting?.isRunning == true)
    await engine.stop()
  }

  @Test func `changes that are put off say how many and why`() async throws {
    try insert("N1")
    hall.setGate { $0.path == "records/modify" ? .refuse(.tryAgainLater) : .pass }
    let engine = try engine()
    try await engine.sync()
    let status = try await engine.status()
    #expect((status.pending, status.postponed) == (1, 1))
    #expect(status.postponedReason == "no room is left")
  }

  @Test func `who waits for a pass after a comparison is told when the engine is stopped`()
    async throws
  {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let (releases, released) = AsyncStream.makeStream(of: Void.self)
    let transport = HeldTransport(hall: hall, arrived: arrived, releases: releases)
    let engine = try SyncEngine(
      store, SyncConfiguration(server: "hall", container: "test", environment: "development"),
      transport: transport)
    // The pass before tells nothing of the one that is waited for.
    try await engine.sync()
    let comparison = Task { try await engine.verify() }
    for await _ in arrivals { break }
    let waiting = Task { try await engine.sync() }
    while await engine.held != [.wish(.asked)] { await Task.yield() }
    await engine.stop()
    await #expect(
      throws: SyncError(.stopped, "the engine", "was stopped", fix: "make another one")
    ) { try await waiting.value }
    released.finish()
    _ = try await comparison.value
  }

  @Test func `whoever is cancelled waits no longer, and the others get their pass`() async throws {
    try insert("N1")
    let engine = try engine()
    let impatient = Task { try await engine.sync() }
    impatient.cancel()
    let summary = try await engine.sync()
    #expect(summary.outcome == .complete)
    await #expect(throws: CancellationError.self) { try await impatient.value }
    #expect(try await engine.sync().outcome == .complete)
  }

  @Test func `a watch tells a server without the extension from one that refuses it`() async throws
  {
    let zone = SyncConfiguration(server: "hall", container: "test", environment: "development").zone
    let watch = ChangeWatch(transport: HallTransport(hall: hall), zone: zone, seed: 1)
    for (code, end) in [
      (ErrorCode.notFound, ChangeWatch.End.isUnknown), (.authenticationFailed, .isRefused),
    ] {
      hall.setGate { _ in .answer(RequestFailure(code)) }
      #expect(await watch.run { true } == end)
    }
  }

  @Test func `one engine at a time has a store, and the next goes on`() async throws {
    let folder = try TemporaryFolder()
    let file = try Store(
      at: .file(folder.path + "/Store.sqlite"), schema: TwoDevicesTests.schema)
    do {
      let first = try engine(file)
      #expect(throws: SyncError.self) { try engine(file) }
      try await first.sync()
    }
    try await engine(file).sync()
  }

  @Test func `an engine that was started sends what is saved, by itself`() async throws {
    let engine = try engine(isAutomatic: true)
    let stream = await engine.events()
    await engine.start()
    try insert("N1")
    for await event in stream {
      if case .finished(let told) = event, told.pushed == 1 { break }
    }
    #expect(try await engine.status().records == 1)
    await engine.stop()
  }
}

/// Keeps the questions of a comparison until somebody lets them go.
private struct HeldTransport: RecordTransport {
  let hall: RecordHall
  let arrived: AsyncStream<Void>.Continuation
  let releases: AsyncStream<Void>

  func send(_ call: SyncCall) async throws(TransportFailure) -> SyncReply {
    if call.path == "zones/digest" {
      arrived.yield()
      for await _ in releases { break }
    }
    return try await hall.send(call).get()
  }
}
