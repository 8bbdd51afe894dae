/// What it takes to bring a store from one schema to another, change by change, before anything runs.
///
/// ```swift
/// let forecast = MigrationForecast(from: shipped, to: current)
/// for step in forecast.steps where step.verdict != .automatic { print(step) }
/// ```
public struct MigrationForecast: Hashable, Sendable {
  /// One verdict for each difference, in the order of the diff.
  public let steps: [Step]

  /// Judges every difference between `old` and `new`.
  public init(from old: Schema, to new: Schema, rule: Rule = .lenient) {
    let context = MigrationContext(old, new, rule: rule)
    steps = diff(old, new, context.matching).map { change in
      let judgment = context.judge(change)
      return Step(
        change: change, verdict: judgment.verdict, reason: judgment.reason, loss: judgment.loss)
    }
  }

  /// The worst verdict of all steps; automatic when there are none.
  public var verdict: Verdict { steps.map(\.verdict).max() ?? .automatic }
}

extension MigrationForecast {
  /// How strictly changes are judged.
  public enum Rule: Hashable, Sendable {
    /// What our store does by itself without losing data.
    case lenient
    /// What Core Data's inference is sure of: every type change and every new required relationship
    /// needs a stage.
    case strict
  }

  /// Whether a change runs by itself.
  public enum Verdict: String, Hashable, Sendable, Comparable, CaseIterable {
    /// The store does it when it is opened.
    case automatic
    /// The app must say in a custom stage what becomes of the data.
    case needsStage
    /// No stage can do it; the schema itself has to change.
    case refused

    /// Orders verdicts from harmless to impossible.
    public static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// One difference with its verdict.
  public struct Step: Hashable, Sendable {
    /// The difference.
    public let change: SchemaChange
    /// Whether it runs by itself.
    public let verdict: Verdict
    /// What happens, or what stands in the way, in half a sentence.
    public let reason: String
    /// Which data would be gone afterwards; nil when none.
    public let loss: String?
  }
}

extension MigrationForecast.Step: CustomStringConvertible {
  /// The step as one line.
  public var description: String {
    "\(change): \(verdict.words) (\(reason))" + (loss.map { "; loses \($0)" } ?? "")
  }
}

extension MigrationForecast.Verdict {
  /// The verdict as people say it.
  public var words: String {
    switch self {
    case .automatic: "automatic"
    case .needsStage: "needs a stage"
    case .refused: "refused"
    }
  }
}
