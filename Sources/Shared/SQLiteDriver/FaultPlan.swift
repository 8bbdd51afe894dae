/// Makes one call of a connection fail, or all from one on: for tests of what then happens.
package final class FaultPlan {
  /// A call that can be made to fail.
  package enum Call: Hashable, Sendable, CaseIterable {
    case prepare, step, execute, begin, commit, rollback
  }

  /// How long the trouble lasts.
  package enum Duration: Hashable, Sendable, CaseIterable {
    /// One call fails, the next succeeds.
    case once
    /// All calls fail from then on.
    case lasting
  }

  /// The calls that count and can fail.
  package let calls: Set<Call>
  /// Which of them fails, counted from 1; 0 for none.
  package let number: Int
  /// How long the trouble lasts.
  package let duration: Duration
  /// What the call fails with.
  package let code: SQLiteCode
  /// How many calls were counted.
  package private(set) var callCount = 0
  /// How many calls were made to fail.
  package private(set) var failureCount = 0

  /// Plans to fail the call with this number.
  package init(
    failing number: Int, of calls: Set<Call> = Set(Call.allCases), _ duration: Duration = .once,
    with code: SQLiteCode = .io
  ) {
    self.calls = calls
    self.number = number
    self.duration = duration
    self.code = code
  }

  /// Counts a call, and says what it fails with; nil for a call that is let through.
  func code(for call: Call) -> Int32? {
    guard calls.contains(call) else { return nil }
    callCount += 1
    guard number > 0, callCount == number || (duration == .lasting && callCount > number) else {
      return nil
    }
    failureCount += 1
    return code.rawValue
  }
}

extension Connection {
  /// Which calls are made to fail; nil, as ever outside of tests, for none.
  package var faults: FaultPlan? {
    get { database.faults }
    set { database.faults = newValue }
  }
}
