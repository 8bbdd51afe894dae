internal import Foundation
internal import Glibc

/// Whether every access is checked: 1, else 0. Written at most once, before the first context is made; a
/// byte that is read on every access must not be behind a lazy initializer.
nonisolated(unsafe) var concurrencyDebugFlag: UInt8 = 0

/// Stops the program where a context or an object is touched from where it is not at home, when the
/// environment has `CONTRAIL_CONCURRENCY_DEBUG=1`.
enum ConcurrencyDebug {
  static let variable = "CONTRAIL_CONCURRENCY_DEBUG"

  /// Reads the environment, once.
  static let isOn: Bool = {
    guard ProcessInfo.processInfo.environment[variable] == "1" else { return false }
    concurrencyDebugFlag = 1
    return true
  }()

  /// The task or else the thread that is running.
  enum Runner: Hashable {
    case task(Int)
    case thread(UInt)

    static var current: Runner {
      withUnsafeCurrentTask { task in
        task.map { .task($0.hashValue) } ?? .thread(UInt(pthread_self()))
      }
    }
  }

  /// Checks that the running code may touch `context`; `subject` is what it is about to touch.
  static func check(_ context: ModelContext, _ subject: () -> String) {
    let message = "\(subject()) is used outside the isolation of its context [\(variable)]"
    switch context.handle.home {
    case .none:
      guard let owner = context.madeBy, owner != Runner.current else { return }
      fatalError(message)
    case .executor(let executor):
      if !executor.isCurrent { fatalError(message) }
    case .actor(let weak):
      weak.actor?.preconditionIsolated(message)
    }
  }
}

extension ModelContext {
  /// Checks that the running code may touch the context, under the flag only.
  @inline(__always)
  func checkAccess(_ what: @autoclosure () -> String) {
    if concurrencyDebugFlag != 0 { ConcurrencyDebug.check(self, what) }
  }
}

extension ManagedObject {
  /// Checks that the running code may touch the object; `slot` is below 0 where no property is meant.
  @inline(never)
  func checkAccess(_ slot: Int) {
    guard let context else { return }
    ConcurrencyDebug.check(context) {
      slot < 0 || slot >= layout.slots.count
        ? layout.name : "\(layout.name).\(layout.slots[slot].name)"
    }
  }
}
