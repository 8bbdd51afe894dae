import CommandKit
import Dispatch
import Glibc
import SyncClient
import SyncCore

/// Keeps a store in sync until Ctrl-C, or until somebody has to decide or to sign in, and tells of each pass in
/// which something happened, and when the server does not answer any more.
///
/// What was begun when it ends is gone on with by the next run. The code says what is left to be done.
func watch(_ engine: SyncEngine, _ display: SyncDisplay) throws -> ExitCode {
  let interrupts = Interrupts { await engine.stop() }
  defer { withExtendedLifetime(interrupts) {} }
  return try Blocking.run { () async -> Result<ExitCode, any Error> in
    do { return .success(try await follow(engine, display)) } catch { return .failure(error) }
  }.get()
}

private func follow(_ engine: SyncEngine, _ display: SyncDisplay) async throws -> ExitCode {
  let events = await engine.events()
  await engine.start()
  var contact = ServerContact()
  var last: SyncSummary?
  var shown: SyncMachine.Outcome?
  for await event in events {
    if let news = contact.take(event) { display.tell(news) }
    display.showProgress(of: event)
    guard case .finished(let summary) = event, summary.outcome != .stopped else { continue }
    last = summary
    // Quiet passes after a quiet one are not news.
    if summary.isQuiet && shown == summary.outcome { continue }
    shown = summary.outcome
    _ = try display.end(summary)
    // Nothing would follow by itself, and whoever started this has to hear of it.
    if summary.needsSomebody { await engine.stop() }
  }
  if contact.isLost { return .network }
  if let last, last.isVain { return last.exitCode }
  // Something may have been done here since the last pass, or the pass was stopped that was under way.
  return try await engine.status().exitCode
}

extension SyncSummary {
  /// Whether the pass met what the next one would meet, too.
  fileprivate var isVain: Bool {
    switch outcome {
    case .trouble, .signIn, .refused, .broken, .unreachable: true
    case .complete, .unfinished, .stopped: false
    }
  }

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
