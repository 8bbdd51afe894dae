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

/// How a drain has ended.
final class DrainOutcome: Sendable {
  let isWhole = Atomic<Bool>(false)
}

/// A handler whose work is only known once the server listens.
final class LateHandler: Sendable {
  private let work = Mutex<HTTPHandler?>(nil)

  func set(_ handler: HTTPHandler) { work.withLock { $0 = handler } }

  var handler: HTTPHandler {
    HTTPHandler(
      bodyLimit: { [self] head in work.withLock { $0 }?.bodyLimit?(head) ?? 0 },
      respond: { [self] request in
        guard let handler = work.withLock({ $0 }) else {
          return HTTPResponse(status: .serviceUnavailable, headers: ["Retry-After": "1"])
        }
        return await handler.respond(request)
      })
  }
}
