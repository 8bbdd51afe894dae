import CEpoll
import Glibc
import Synchronization

/// One thread that serves connections, and an executor on which their handlers run.
///
/// `@unchecked Sendable`: `inbox`, `counters` and the atomics may be used by anyone. Everything marked as confined is used
/// on the loop's thread only: `run()` is called once, by that thread, and all else that touches it is called from there,
/// by `perform`, which checks, or by jobs, which `run()` runs.
final class EventLoop: TaskExecutor, @unchecked Sendable {
  /// What others leave for the loop.
  private enum Work: Sendable {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
  }

  let share: ServerShare
  let counters = Counters()
  /// Guards the work that comes from other threads; nil once the loop has ended.
  private let inbox = Mutex<[Work]?>([])
  private let thread = Atomic<UInt>(0)
  let epoll: Int32
  private let wakeDescriptor: Int32

  // Confined.
  var connections = ConnectionTable()
  var listeners: [ListeningSocket]
  var acceptsAgainAt: UInt64?
  @exclusivity(unchecked) private var wheel: TimerWheel
  private var jobs: [UnownedJob] = []
  private var revisits: [UInt64] = []
  @exclusivity(unchecked) private var heldOutputs = HeldOutputs()
  /// Tasks of handlers and streams that have not ended: the loop outlives them, since they run on it.
  var openTasks = 0
  /// Set once a drain has begun.
  var drainState: DrainState?
  private(set) var now: UInt64
  private var dateSecond = -1
  private var cachedDateLine: [UInt8] = []
  private var nextRequest: UInt64
  let compression: ResponseCompression
  /// What is read from sockets is here until it is taken; nothing keeps it across two events.
  let scratch: UnsafeMutableRawBufferPointer

  /// Bytes that are read at a time.
  private static let scratchBytes = 64 * 1024
  static let wakeToken = UInt64.max
  /// Tokens of listening sockets are counted down from here, where no token of a connection comes to.
  static let listenerToken = UInt64.max - 1

  init(index: Int, share: ServerShare, listeners: [ListeningSocket]) throws(HTTPServerError) {
    self.share = share
    self.listeners = listeners
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    wakeDescriptor = contrail_eventfd()
    scratch = .allocate(byteCount: Self.scratchBytes, alignment: 16)
    now = Self.clock()
    wheel = TimerWheel(now: now)
    // Numbers of different loops never meet.
    nextRequest = UInt64(index) << 48
    compression = ResponseCompression(
      bodyBytesMin: share.configuration.gzipBodyBytesMin, level: share.configuration.gzipLevel)
    guard epoll >= 0, wakeDescriptor >= 0,
      contrail_epoll_add_listener(epoll, wakeDescriptor, Self.wakeToken) == 0
    else {
      throw HTTPServerError(
        code: .noEventLoop, subject: "event loop \(index)", message: HTTPServerError.text(errno),
        fix: "Raise the limit of open files (ulimit -n).")
    }
  }

  deinit {
    _ = close(epoll)
    _ = close(wakeDescriptor)
    scratch.deallocate()
  }

  // MARK: Anyone

  /// Whether the caller is on the loop's thread.
  var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      jobs.append(job)
    } else if !leave(.job(job)) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Calls `body` on the loop: now, when that is where the caller is.
  func perform(_ body: @escaping @Sendable () -> Void) {
    if !isCurrent, leave(.call(body)) { return }
    body()
  }

  /// Leaves work for the loop's thread; false once that has ended.
  ///
  /// Then whoever comes does the work: all connections are closed, so that it finds nothing to change.
  private func leave(_ work: Work) -> Bool {
    let count = inbox.withLock { inbox in
      inbox?.append(work)
      return inbox?.count
    }
    guard count == 1 else { return count != nil }
    var one: UInt64 = 1
    _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    return true
  }

  // MARK: The loop's thread

  /// Serves until a drain has ended.
  func run() {
    thread.store(pthread_self(), ordering: .relaxed)
    openListeners()
    withUnsafeTemporaryAllocation(
      of: contrail_event.self, capacity: Int(CONTRAIL_EVENTS_MAX)
    ) { events in
      repeat {
        // NB: at least one turn. What came after the last one keeps the inbox open, and only a turn runs it.
        repeat { turn(events) } while !isFinished || !jobs.isEmpty
      } while !closeInbox()
    }
    // The system may give the thread's number to another one.
    thread.store(0, ordering: .relaxed)
  }

  /// Takes no more work; false when there is some.
  private func closeInbox() -> Bool {
    inbox.withLock { inbox in
      guard inbox?.isEmpty ?? true else { return false }
      inbox = nil
      return true
    }
  }

  private func turn(_ events: UnsafeMutableBufferPointer<contrail_event>) {
    let count = contrail_epoll_wait(epoll, events.baseAddress, waitMilliseconds())
    now = Self.clock()
    for event in events.prefix(max(0, Int(count))) {
      handle(event)
      sendDueOutputs()
    }
    expireDeadlines()
    sendHeldOutputs()
    runWork()
    sendHeldOutputs()
    revisitConnections()
    sendHeldOutputs()
    advanceDrain()
  }

  private func handle(_ event: contrail_event) {
    if event.token == Self.wakeToken {
      var count: UInt64 = 0
      _ = read(wakeDescriptor, &count, MemoryLayout<UInt64>.size)
    } else if let connection = connections[event.token] {
      connection.handle(event.events)
    } else if event.token > Self.listenerToken - UInt64(listeners.count) {
      accept(from: Int(Self.listenerToken - event.token))
    }
  }

  private func waitMilliseconds() -> Int32 {
    if !jobs.isEmpty || !revisits.isEmpty || isFinished { return 0 }
    let others = [acceptsAgainAt, drainState?.nextLook].compactMap { $0 }
      .map { $0 > now ? $0 - now : 0 }
    guard let delay = ([wheel.delay(now: now)].compactMap { $0 } + others).min() else { return -1 }
    return Int32(clamping: delay)
  }

  /// Runs what is there, not what that makes: events come between.
  private func runWork() {
    let work = inbox.withLock { inbox in
      let work = inbox ?? []
      inbox = []
      return work
    }
    let own = jobs
    jobs = []
    for job in own {
      job.runSynchronously(on: asUnownedTaskExecutor())
      sendDueOutputs()
    }
    for item in work {
      switch item {
      case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .call(let body): body()
      }
      sendDueOutputs()
    }
  }

  private func revisitConnections() {
    let tokens = revisits
    revisits = []
    for token in tokens {
      connections[token]?.advance()
      sendDueOutputs()
    }
  }

  /// Whether what a connection has to send waits until other connections were answered too.
  func holdsOutput(of connection: Connection) -> Bool {
    !connection.output.isEmpty
      && heldOutputs.take(connection.token, bytes: connection.output.count, now: Self.clock)
  }

  /// Sends what was held for long enough, or has become too much.
  private func sendDueOutputs() {
    if heldOutputs.mustGo(now: Self.clock) { sendHeldOutputs() }
  }

  private func sendHeldOutputs() {
    for token in heldOutputs.removeAll() { connections[token]?.sendHeld() }
  }

  /// Comes back to a connection after the others had their turn.
  func revisit(_ token: UInt64) { revisits.append(token) }

  private func expireDeadlines() {
    for (token, tick) in wheel.advance(to: now) {
      guard let connection = connections[token], connection.wheelTick == tick else { continue }
      connection.wheelTick = .max
      if connection.deadline <= now { connection.expire() }
      watchDeadline(of: connection)
    }
    if let time = acceptsAgainAt, time <= now {
      acceptsAgainAt = nil
      openListeners()
    }
  }

  /// Sees to it that the wheel has an entry no later than the connection's deadline.
  func watchDeadline(of connection: Connection) {
    guard connection.deadline != .max else { return }
    let tick = wheel.tick(of: connection.deadline)
    guard tick < connection.wheelTick else { return }
    connection.wheelTick = tick
    wheel.insert(connection.token, at: tick)
  }

  /// The header with the time, made anew each second.
  func dateLine() -> [UInt8] {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    if time.tv_sec != dateSecond {
      dateSecond = time.tv_sec
      cachedDateLine = DateLine.bytes(seconds: dateSecond)
    }
    return cachedDateLine
  }

  func makeRequestID() -> UInt64 {
    nextRequest &+= 1
    return nextRequest
  }

  /// Milliseconds of a clock that only goes forward.
  private static func clock() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(clamping: time.tv_sec) &* 1000 &+ UInt64(clamping: time.tv_nsec / 1_000_000)
  }
}
