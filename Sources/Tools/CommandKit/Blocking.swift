import Dispatch
import Synchronization

/// Lets a command, which is an ordinary function, wait for what is asynchronous.
package enum Blocking {
  /// Runs `body` on the pool's threads, and returns when it has.
  ///
  /// To be called on the main thread only: a thread of the pool that waits so may be the one that is needed.
  package static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      let value = await body()
      box.value.withLock { $0 = value }
      done.signal()
    }
    while true {
      done.wait()
      if let value = box.value.withLock({ $0 }) { return value }
    }
  }

  /// Where the result is left.
  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
