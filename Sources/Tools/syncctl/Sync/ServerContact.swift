import SyncClient
import SyncCore

/// Whether a server answers, made of what an engine tells while it syncs by itself.
struct ServerContact {
  /// What somebody has to hear of it.
  enum News: Hashable, Sendable {
    /// No answer comes any more, and why.
    case lost(String)
    /// The server answers again.
    case found
  }

  private enum State { case answers, silent, askedAgain }
  private var state = State.answers

  /// Whether the last that was heard is that no answer came.
  var isLost: Bool { state != .answers }

  /// Takes in what an engine tells; returns what is news.
  mutating func take(_ event: SyncEvent) -> News? {
    switch event {
    case .unanswered(_, let why): return lose(why)
    case .progress: return find()
    case .step: return takeStep()
    case .finished(let summary): return take(summary.outcome)
    case .report: return nil
    }
  }

  /// After silence a step is the same once more; if another one follows, there was an answer.
  private mutating func takeStep() -> News? {
    if state == .askedAgain { return find() }
    if state == .silent { state = .askedAgain }
    return nil
  }

  private mutating func take(_ outcome: SyncMachine.Outcome) -> News? {
    switch outcome {
    case .complete, .unfinished, .trouble, .signIn, .refused: find()
    case .unreachable(let why): lose(why)
    case .broken, .stopped: nil
    }
  }

  private mutating func lose(_ why: String) -> News? {
    defer { state = .silent }
    return state == .answers ? .lost(why) : nil
  }

  private mutating func find() -> News? {
    defer { state = .answers }
    return state == .answers ? nil : .found
  }
}
