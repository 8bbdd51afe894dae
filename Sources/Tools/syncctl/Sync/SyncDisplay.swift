import CommandKit
import JSONStream
import SyncClient
import SyncCore

/// Shows how a sync goes: progress on a terminal, and its end in words or as JSON.
struct SyncDisplay: Sendable {
  private let console: Console
  private let isJSON: Bool

  init(_ console: Console, isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
  }

  /// Shows how far a pass has come, on a terminal only.
  func showProgress(of event: SyncEvent) {
    switch event {
    case .progress(let progress): console.showProgress(progress.words)
    case .unanswered(_, let why): console.showProgress("trying again: \(why)")
    case .step, .report, .finished: break
    }
  }

  /// Says that the server does not answer any more, or answers again: also where nobody looks, for whoever
  /// reads it later.
  func tell(_ news: ServerContact.News) {
    console.showProgress("")
    switch news {
    case .lost(let why): console.writeError("syncctl: no answer, it is tried again: \(why)\n")
    case .found: console.writeError("syncctl: the server answers again\n")
    }
  }

  /// Shows what a pass came to; gives the code that the command ends with.
  func end(_ summary: SyncSummary) throws -> ExitCode {
    console.showProgress("")
    if isJSON {
      try console.write(summary.json)
    } else {
      console.write("\(summary)\n")
    }
    complain(of: summary)
    return summary.exitCode
  }

  /// Says what stood in the way of a pass, if anything did.
  func complain(of summary: SyncSummary) {
    if let complaint = summary.complaint { console.writeError("syncctl: \(complaint)\n") }
  }
}

extension SyncProgress {
  fileprivate var words: String {
    let sent =
      pushedTotal.map { "sent \(pushed) of \($0)" } ?? (pushed > 0 ? "sent \(pushed)" : nil)
    let read = pulled > 0 ? "read \(pulled)" : nil
    return [read, sent].compactMap { $0 }.joined(separator: ", ")
  }
}
