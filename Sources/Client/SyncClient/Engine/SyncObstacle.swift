import SQLiteDriver
import SyncCore

/// What keeps passes from coming to their end, though nobody has to decide anything.
public struct SyncObstacle: Hashable, Sendable {
  /// What kinds there are.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The server gives no answer, or none that helps.
    case unreachable
    /// The server wants credentials, or refuses those that it got.
    case signIn
    /// The server refuses what it is asked.
    case refused
    /// Something fails here.
    case broken
  }

  /// The kind.
  public var kind: Kind
  /// What is known of it, in words; empty for nothing more.
  public var reason: String
  /// Since when, in milliseconds since 1970.
  public var since: Int64
}

extension SyncMachine.Outcome {
  /// What stood in the way of a pass; nil where nothing did, or somebody has to decide.
  fileprivate var obstacle: (kind: SyncObstacle.Kind, reason: String)? {
    switch self {
    case .unreachable(let why): (.unreachable, why)
    case .signIn(let url): (.signIn, url ?? "")
    case .refused(let why): (.refused, why)
    case .broken(let why): (.broken, why)
    case .complete, .unfinished, .trouble, .stopped: nil
    }
  }
}

extension SyncRows {
  /// What stands in the way of passes; nil for nothing.
  func obstacle() throws(SQLiteError) -> SyncObstacle? {
    guard let kind = try text(.obstacle).flatMap(SyncObstacle.Kind.init(rawValue:)) else {
      return nil
    }
    return SyncObstacle(
      kind: kind, reason: try text(.obstacleReason) ?? "",
      since: try integer(.obstacleSince) ?? 0)
  }

  /// Notes what stood in the way of a pass that is over, or that nothing did.
  func noteObstacle(of outcome: SyncMachine.Outcome, at time: Int64) throws(SQLiteError) {
    // Who stops a pass learns nothing of the server.
    if outcome == .stopped { return }
    guard let (kind, reason) = outcome.obstacle else { return try set(.obstacle, nil) }
    try note(kind, reason, at: time)
  }

  /// Notes what stands in the way; of one kind the first moment counts.
  func note(
    _ kind: SyncObstacle.Kind, _ reason: String, at time: Int64
  ) throws(SQLiteError) {
    if try obstacle()?.kind != kind { try set(.obstacleSince, time) }
    try set(.obstacle, kind.rawValue)
    try set(.obstacleReason, reason)
  }
}

extension SyncSession {
  /// Notes, once, that the server gives no answer: others who look at the store want to know before a pass gives up.
  func noteSilence(_ why: String, now: Int64) throws {
    if try read({ try $0.obstacle()?.kind }) == .unreachable { return }
    try write { _, rows in try rows.note(.unreachable, why, at: now) }
  }

  /// Forgets that the server gave no answer.
  func forgetSilence() throws {
    guard try read({ try $0.obstacle()?.kind }) == .unreachable else { return }
    try write { _, rows in try rows.set(.obstacle, nil) }
  }
}
