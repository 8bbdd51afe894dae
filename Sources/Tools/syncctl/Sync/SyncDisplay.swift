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

  /// Shows what a pass came to; gives the code that the command ends with.
  func end(_ summary: SyncSummary) throws -> ExitCode {
    console.showProgress("")
    if isJSON {
      try console.write(summary.json)
    } else {
      console.write("\(summary)\n")
    }
    if let complaint = summary.complaint { console.writeError("syncctl: \(complaint)\n") }
    return summary.exitCode
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
