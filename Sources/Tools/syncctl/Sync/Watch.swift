import CommandKit
import Dispatch
import Glibc
import SyncClient
import SyncCore
import Synchronization

/// Keeps a store in sync until Ctrl-C, or until somebody has to decide or to sign in, and tells of each pass in
/// which something happened.
///
/// What was begun when it ends is gone on with by the next run.
func watch(_ engine: SyncEngine, _ display: SyncDisplay) throws -> ExitCode {
  let interrupts = Interrupts { await engine.stop() }
  defer { withExtendedLifetime(interrupts) {} }
  let last = Mutex(ExitCode.ok)
  let failure = Blocking.run { () async -> (any Error)? in
    let events = await engine.events()
    await engine.start()
    var shown: SyncMachine.Outcome?
    for await event in events {
      display.showProgress(of: event)
      guard case .finished(let summary) = event, summary.outcome != .stopped else { continue }
      last.withLock { $0 = summary.exitCode }
      // Quiet passes after a quiet one are not news.
      if summary.isQuiet && shown == summary.outcome { continue }
      shown = summary.outcome
      do { _ = try display.end(summary) } catch { return error }
      // Nothing would follow by itself, and whoever started this has to hear of it.
      if summary.needsSomebody { await engine.stop() }
    }
    return nil
  }
  if let failure { throw failure }
  return last.withLock { $0 }
}

extension SyncSummary {
  fileprivate var isQuiet: Bool { pushed == 0 && pulled == 0 && merged == 0 }

  fileprivate var needsSomebody: Bool {
    switch outcome {
    case .trouble, .signIn: true
    default: false
    }
  }
}

/// Listens for the signals by which somebody ends a program.
private final class Interrupts {
  private let sources: [any DispatchSourceSignal]

  init(_ body: @escaping @Sendable () async -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { Task { await body() } }
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }
}
