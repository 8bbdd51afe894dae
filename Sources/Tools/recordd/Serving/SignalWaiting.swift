import Dispatch
import Glibc
import HTTPServer
import RecordServerHTTP
import Synchronization

/// Signals that are taken one after the other, instead of interrupting something.
struct SignalWaiting {
  private var set = sigset_t()

  /// Keeps the signals back from this thread, and from those that it starts.
  init(_ signals: [Int32]) {
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for the next one.
  func next() -> Int32 {
    var (set, signal) = (set, Int32(0))
    // Fails only for a set that is none.
    while sigwait(&set, &signal) != 0 {}
    return signal
  }
}

/// Waits on the main thread for what tasks do.
enum Waiting {
  /// The result of `body`, which runs elsewhere.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let box = Box<Value>()
    Task {
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
      box.result.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    guard let outcome = box.result.withLock({ $0 }) else { throw CancellationError() }
    return try outcome.get()
  }

  private final class Box<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }
}

/// A handler whose work is only known once the server listens.
final class LateHandler: Sendable {
  private let work = Mutex<HTTPHandler?>(nil)

  func set(_ handler: HTTPHandler) { work.withLock { $0 = handler } }

  var handler: HTTPHandler {
    HTTPHandler(
      bodyLimit: { [self] head in work.withLock { $0 }?.bodyLimit?(head) ?? 0 },
      reply: { [self] request in
        guard let handler = work.withLock({ $0 }) else {
          return .now(HTTPResponse(status: .serviceUnavailable, headers: ["Retry-After": "1"]))
        }
        return handler.reply(request)
      })
  }
}
