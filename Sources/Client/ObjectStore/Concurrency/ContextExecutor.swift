internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs one job at a time, in the order in which they came, on a thread that is never the caller's.
///
/// An actor whose methods are to work with a `BackgroundContext` names its executor as its own.
public final class ContextExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// Makes an executor; `label` is what debuggers show.
  public init(label: String = "contrail.context") {
    queue = DispatchQueue(label: label)
  }

  /// Whether the running code holds the executor: it is one of its jobs, or its job waits for it.
  public var isCurrent: Bool {
    var frame = HeldExecutors.current
    while let held = frame {
      if held.executor === self { return true }
      frame = held.outer
    }
    return false
  }

  /// Takes a job of an actor.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    submit { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Says whether the running code is isolated by this executor.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Puts `body` at the end, and does not wait.
  package func submit(after delay: Duration? = nil, _ body: @escaping @Sendable () -> Void) {
    let job: @Sendable () -> Void = { [self] in
      HeldExecutors.hold(HeldExecutors.Frame(self, outer: nil), body)
    }
    guard let delay else { return queue.async(execute: job) }
    let (seconds, attoseconds) = delay.components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: job)
  }

  /// Puts `body` at the end and blocks the thread until it is done; at once where the executor is
  /// held already.
  package func runAndWait<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
    if isCurrent { return body() }
    // The caller's executors are lent to the job: they cannot do anything else while it runs, so what
    // the job asks of them is done at once instead of waiting for ever.
    let frame = HeldExecutors.Frame(self, outer: HeldExecutors.current)
    let outcome = Outcome<Value>()
    let done = DispatchSemaphore(value: 0)
    queue.async {
      HeldExecutors.hold(frame) { outcome.set(body()) }
      done.signal()
    }
    while true {
      done.wait()
      if let value = outcome.value { return value }
    }
  }

  /// Puts `body` at the end and waits for it without blocking; not at all once the task is cancelled.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let turn = Turn<Value>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard turn.wait(continuation) else { return }
        submit {
          guard let continuation = turn.begin() else { return }
          continuation.resume(with: Result(catching: body))
        }
      }
    } onCancel: {
      turn.cancel()
    }
  }
}

/// A value that one thread makes and another waits for.
private final class Outcome<Value: Sendable>: Sendable {
  private let slot = Mutex<Value?>(nil)

  var value: Value? { slot.withLock { $0 } }
  func set(_ value: Value) { slot.withLock { $0 = value } }
}

/// A job's place in the queue, which a cancelled task gives up as long as the job has not begun.
private final class Turn<Value: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Value, any Error>)
    case begun
    case cancelled
  }

  private let state = Mutex(State.new)

  /// Whether to go on and queue: not after a cancellation.
  func wait(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
    return !isCancelled
  }

  /// Whom to tell the result; nil when the job is not wanted any more.
  func begin() -> CheckedContinuation<Value, any Error>? {
    state.withLock { state in
      guard case .waiting(let continuation) = state else { return nil }
      state = .begun
      return continuation
    }
  }

  func cancel() {
    let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      switch state {
      case .new:
        state = .cancelled
        return nil
      case .waiting(let continuation):
        state = .cancelled
        return continuation
      case .begun, .cancelled: return nil
      }
    }
    continuation?.resume(throwing: CancellationError())
  }
}

/// Which executors the running thread holds.
private enum HeldExecutors {
  /// One held executor, and those held besides.
  final class Frame: Sendable {
    let executor: ContextExecutor
    let outer: Frame?

    init(_ executor: ContextExecutor, outer: Frame?) {
      self.executor = executor
      self.outer = outer
    }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  static var current: Frame? {
    pthread_getspecific(key).map { Unmanaged<Frame>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` on this thread while it holds what `frame` says.
  static func hold(_ frame: Frame, _ body: () -> Void) {
    let old = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(frame).toOpaque())
    withExtendedLifetime(frame) { body() }
    pthread_setspecific(key, old)
  }
}
