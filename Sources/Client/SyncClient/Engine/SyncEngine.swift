public import ObjectStore
import RecordWire
public import SyncCore
import Synchronization

/// Keeps a store and a record server alike.
///
/// ```swift
/// let engine = try SyncEngine(store, configuration, transport: transport)
/// let summary = try await engine.sync()   // pushed 3, pulled 12, merged 1, parked 0, failed 0
/// ```
///
/// All its work on the store is done on a thread of its own. It may be gone at any moment, and another
/// one goes on where it was; one engine at a time works on a store, in whichever process.
public actor SyncEngine {
  private let executor = ContextExecutor(label: "contrail.sync")
  let session: SyncSession
  let transport: any RecordTransport
  let environment: SyncEnvironment
  private var lease: SyncLease?
  private var machine: SyncMachine
  private var listeners: [Int: AsyncStream<SyncEvent>.Continuation] = [:]
  private var nextListener = 0
  /// Who waits for the end of the pass that runs, and of the one after it.
  private var waiters: [Waiter] = []
  private var laterWaiters: [Waiter] = []
  private var nextWaiter = 0
  /// Itself, from its start until it is stopped.
  private var keeper: SyncEngine?
  private var timer: Task<Void, Never>?
  private var timerTime: Int64?
  private var following: CommitListener?
  private var watch: Task<Void, Never>?
  /// Whether the server has no way to tell of changes.
  private var cannotWatch = false
  private var progress = SyncTally()
  /// Whether this engine has noted that the server gives no answer.
  private var isSilenceNoted = false
  private var failure: (any Error)?
  /// What the last pass came to.
  private var lastResult: Result<SyncSummary, any Error>?
  private nonisolated let hasEnded = Atomic(false)
  /// The step that is being carried out.
  private var step: Task<Void, Never>?
  /// What happens while a comparison has the session to itself; nil while none has.
  private(set) var held: [SyncMachine.Input]?
  private var isComparing = false
  /// Who wants to know when the store may stand differently to the server.
  private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]

  /// Work happens here.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Prepares the store for sync, and takes the lease on it.
  public init(
    _ store: Store, _ configuration: SyncConfiguration, transport: any RecordTransport,
    environment: SyncEnvironment = .system
  ) throws {
    lease = try SyncLease(store.location)
    self.transport = transport
    self.environment = environment
    var random = environment.random
    session = try SyncSession(
      store, configuration, device: DeviceNumber(rawValue: random.next()), random: random)
    machine = SyncMachine(configuration.machine, seed: random.next())
  }

  deinit {
    watch?.cancel()
    timer?.cancel()
  }

  /// Exchanges everything that can be, and waits for the end.
  ///
  /// The end may be one that needs somebody: `SyncSummary.outcome` says so. Whoever calls while a pass
  /// runs waits for the next one, which begins after the call. Whoever is cancelled waits no longer; the pass
  /// goes on, until `stop`.
  @discardableResult
  public func sync() async throws -> SyncSummary {
    if isStopped { throw Self.stopped }
    let number = nextWaiter
    nextWaiter += 1
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        let waiter = Waiter(number: number, continuation: continuation)
        if machine.isRunning {
          laterWaiters.append(waiter)
        } else {
          waiters.append(waiter)
        }
        feed(.wish(.asked))
      }
    } onCancel: {
      Task { await self.dismiss(number) }
    }
  }

  /// Throws where the store may be another engine's by now.
  func requireLease() throws {
    if isStopped { throw Self.stopped }
  }

  private static let stopped = SyncError(
    .stopped, "the engine", "was stopped", fix: "make another one")

  /// Somebody who waits for the end of a pass.
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<SyncSummary, any Error>
  }

  private func dismiss(_ number: Int) {
    let waiter = (waiters + laterWaiters).first { $0.number == number }
    waiters.removeAll { $0.number == number }
    laterWaiters.removeAll { $0.number == number }
    waiter?.continuation.resume(throwing: CancellationError())
  }

  /// Begins to sync by itself: after local changes, when the server tells of some, and now and then.
  ///
  /// It goes on until `stop`, whoever holds the engine.
  public func start() {
    if isStopped { return }
    keeper = self
    machine.automate()
    watchServer()
    if following == nil {
      following = session.store.onCommit { [weak self] changes in
        guard let self, changes.author != SyncAuthor.name else { return }
        Task { await self.feed(.wish(.localChange)) }
      }
      session.store.watchOtherProcesses()
    }
    feed(.wish(.schedule))
  }

  /// Begins to listen to the server, where that is not done already and it can tell of changes.
  private func watchServer() {
    guard watch == nil, !cannotWatch, !isStopped, session.configuration.usesExtensions else {
      return
    }
    var random = environment.random
    let watch = ChangeWatch(
      transport: transport, zone: session.configuration.zone, seed: random.next())
    self.watch = Task { [weak self] in
      let end = await watch.run { [weak self] in
        await self?.noteRemoteChange()
        return self != nil
      }
      await self?.noteEnd(of: end)
    }
  }

  /// Who was refused, since the credentials are too old for example, listens again after the next pass that
  /// is complete.
  private func noteEnd(of end: ChangeWatch.End) {
    watch = nil
    cannotWatch = end == .isUnknown
  }

  /// Whether it was stopped: then it does nothing any more.
  public nonisolated var isStopped: Bool { hasEnded.load(ordering: .acquiring) }

  /// Takes no further step, and lets go of the store: when this is over, another engine may have it.
  ///
  /// What was begun is gone on with by the next engine.
  public func stop() async {
    (following, keeper) = (nil, nil)
    watch?.cancel()
    held = nil
    hasEnded.store(true, ordering: .releasing)
    // Who waits for a pass that was to begin after a comparison is not told of one before it.
    if !machine.isRunning { lastResult = .failure(Self.stopped) }
    feed(.stop)
    for listener in listeners.values { listener.finish() }
    for watcher in watchers.values { watcher.finish() }
    (listeners, watchers) = ([:], [:])
    // An answer that is not waited for may have arrived: that is nothing new.
    step?.cancel()
    await step?.value
    if !isComparing { lease = nil }
  }

  /// Does about trouble what `policy` says, and goes on.
  ///
  /// ```swift
  /// if case .trouble(let trouble) = summary.outcome, await user.wantsItBack(after: trouble) {
  ///   try await engine.resolve(.reupload)
  /// }
  /// ```
  ///
  /// Throws `notFound` where nothing has to be decided, and `busy` while a pass is under way.
  public func resolve(_ policy: TroublePolicy) throws {
    try requireLease()
    if isBusy {
      throw SyncError(.busy, "the engine", "is at work", fix: "wait for the end of the pass")
    }
    try session.resolve(policy, now: environment.now())
    if policy != .ask { feed(.resume) }
  }

  /// Goes on after trouble, or with new credentials.
  public func resume() { feed(.resume) }

  /// The server has told of a change.
  public func noteRemoteChange() { feed(.wish(.remoteChange)) }

  /// What happens from now on, for as long as somebody listens.
  public func events() -> AsyncStream<SyncEvent> {
    let number = nextListener
    nextListener += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncEvent.self, bufferingPolicy: .bufferingNewest(SyncEvent.bufferedMax))
    if isStopped { continuation.finish() } else { listeners[number] = continuation }
    continuation.onTermination = { _ in
      Task { await self.forgetListener(number) }
    }
    return stream
  }

  private func forgetListener(_ number: Int) { listeners[number] = nil }

  /// Something whenever the store may stand differently to the server, for as long as somebody listens.
  func stirs() -> AsyncStream<Void> {
    let number = nextListener
    nextListener += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    if isStopped { continuation.finish() } else { watchers[number] = continuation }
    continuation.onTermination = { _ in
      Task { await self.forgetWatcher(number) }
    }
    return stream
  }

  /// Says that the store may stand differently to the server.
  func stir() {
    for watcher in watchers.values { watcher.yield() }
  }

  private func forgetWatcher(_ number: Int) { watchers[number] = nil }

  /// How the store stands to the server.
  public func status() throws -> SyncStatus {
    try SyncStatus.read(
      session.store, isRunning: machine.isRunning,
      waitingUntil: machine.isWaiting ? timerTime : nil)
  }
}

extension SyncEngine {
  /// Whether a pass or a comparison is under way.
  var isBusy: Bool { machine.isRunning || held != nil }

  /// What is said of a server that wants to be left alone still; nil for one that does not.
  var busyServer: String? { machine.busyServer(now: environment.now()) }

  /// Keeps passes from beginning.
  func holdPasses() { (held, isComparing) = ([], true) }

  /// Goes on with what happened meanwhile.
  func releasePasses() {
    let inputs = held ?? []
    (held, isComparing) = (nil, false)
    for input in inputs { feed(input) }
    if isStopped { lease = nil }
  }

  private func feed(_ input: SyncMachine.Input) {
    if held != nil {
      held?.append(input)
      return
    }
    for action in machine.handle(input, now: environment.now()) {
      switch action {
      case .carryOut(let step):
        tell(.step(step))
        self.step = Task { await self.carryOut(step) }
      case .wake(let time): setTimer(time)
      case .finish(let end): finish(end)
      }
    }
    if !machine.isRunning, let lastResult { answerAll(lastResult) }
  }

  /// Answers who waits for a pass that does not begin: the one before it needs somebody, or all is stopped.
  private func answerAll(_ result: Result<SyncSummary, any Error>) {
    let rest = waiters + laterWaiters
    (waiters, laterWaiters) = ([], [])
    for waiter in rest { waiter.continuation.resume(with: result) }
  }

  private func carryOut(_ step: SyncStep) async {
    let result: StepResult
    do {
      result = try await exchange(step)
      for report in session.takeReports() { tell(.report(report)) }
      tellProgress(step, result)
    } catch {
      failure = error
      result = .broken("\(error)")
    }
    feed(.result(result))
  }

  private func exchange(_ step: SyncStep) async throws -> StepResult {
    switch try session.begin(step, now: environment.now()) {
    case .done(let result): return result
    case .call(let call):
      let transport = transport
      async let reply = transport.reply(to: call)
      let work = Result { try session.work(now: environment.now()) }
      let answer = await reply
      try work.get()
      let result = try session.finish(step, answer, now: environment.now())
      if case .done = result { noteAnswer(to: step) }
      return result
    }
  }

  private func tellProgress(_ step: SyncStep, _ result: StepResult) {
    switch result {
    case .unanswered(let why): tellUnanswered(step, why)
    case .failed(.retry(let seconds)): tellUnanswered(step, SyncMachine.busy(for: seconds))
    case .done(let facts) where facts.tally != SyncTally():
      progress += facts.tally
      let left = listeners.isEmpty ? nil : try? session.pendingCount()
      tell(
        .progress(
          SyncProgress(
            pushed: progress.pushed,
            pushedTotal: progress.pushed > 0 ? left.map { progress.pushed + $0 } : nil,
            pulled: progress.pulled)))
    case .done, .failed, .broken: break
    }
  }

  private func tellUnanswered(_ step: SyncStep, _ why: String) {
    // It is a note only: the pass does not depend on it. Files may be anybody's to give.
    if !step.isOfFiles {
      isSilenceNoted = true
      try? session.noteSilence(why, now: environment.now())
    }
    tell(.unanswered(step, why))
  }

  /// The server answers again: others need not wait for the end of the pass to hear of it.
  private func noteAnswer(to step: SyncStep) {
    guard isSilenceNoted, !step.isOfFiles else { return }
    isSilenceNoted = false
    try? session.forgetSilence()
  }

  private func setTimer(_ time: Int64?) {
    timer?.cancel()
    timerTime = time
    guard let time else {
      timer = nil
      return
    }
    let wait = max(0, time - environment.now())
    // Nobody has to hold an engine for the sake of its next pass.
    timer = Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(wait))
      if !Task.isCancelled { await self?.feed(.timer) }
    }
  }

  private func finish(_ end: SyncMachine.PassEnd) {
    progress = SyncTally()
    let done = waiters
    waiters = laterWaiters
    laterWaiters = []
    var result = Result {
      try session.noteEnd(end, now: environment.now())
      return try SyncSummary(end, SyncStatus.read(session.store, isRunning: false))
    }
    if let summary = try? result.get() { tell(.finished(summary)) }
    if let failure { result = .failure(failure) }
    for waiter in done { waiter.continuation.resume(with: result) }
    if following != nil, end.outcome == .complete { watchServer() }
    failure = nil
    lastResult = result
  }

  func tell(_ event: SyncEvent) {
    for listener in listeners.values { listener.yield(event) }
    stir()
  }
}
