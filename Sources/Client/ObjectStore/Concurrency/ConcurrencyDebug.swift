internal import Foundation
internal import Glibc

/// Whether every access is checked: 1, else 0.
///
/// Written at most once, before the first context is made; a
/// byte that is read on every access must not be behind a lazy initializer.
nonisolated(unsafe) var concurrencyDebugFlag: UInt8 = 0

/// Asks the runtime whether the running code is isolated by an executor.
///
/// `preconditionIsolated` asks the same, but stops the program without saying what was touched, and nothing
/// in the library answers. So the runtime's own entry is looked up, for the debugging flag only; a runtime
/// without it checks nothing here. Two words and a number are passed alike by Swift's and C's calls.
private enum RunningExecutor {
  private typealias Ask = @convention(c) (UInt, UInt, UInt64) -> Bool

  private static let ask: Ask? = {
    let symbol = dlsym(
      UnsafeMutableRawPointer(bitPattern: 0), "swift_task_isCurrentExecutorWithFlags")
    return symbol.map { unsafeBitCast($0, to: Ask.self) }
  }()

  static func isIsolated(by executor: UnownedSerialExecutor) -> Bool {
    guard let ask, MemoryLayout<UnownedSerialExecutor>.size == MemoryLayout<(UInt, UInt)>.size
    else { return true }
    let (identity, implementation) = unsafeBitCast(executor, to: (UInt, UInt).self)
    return ask(identity, implementation, 0)
  }
}

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
    let isAllowed: Bool
    switch context.handle.home {
    case .none: isAllowed = context.madeBy.map { $0 == Runner.current } ?? true
    case .executor(let executor): isAllowed = executor.isCurrent
    case .actor(let weak):
      isAllowed = weak.actor.map { RunningExecutor.isIsolated(by: $0.unownedExecutor) } ?? true
    }
    if !isAllowed { stop(message(subject())) }
  }

  private static func message(_ subject: String) -> String {
    "\(subject) is used outside the isolation of its context; fix: use it where the context was made, "
      + "or fetch it by its identity in a context of the task that needs it [\(variable)]"
  }

  private static func stop(_ message: String) -> Never {
    fatalError(message)
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
