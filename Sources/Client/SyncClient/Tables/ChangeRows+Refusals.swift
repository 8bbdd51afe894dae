import RecordWire
import SQLiteDriver
import SyncCore

// What becomes of a change that the server does not take.
extension SyncRows {
  /// Puts a change off until later; returns what became of it where it was put off too often already.
  ///
  /// Reasons that pass by themselves do not count.
  func postpone(
    _ change: ChangeRow, _ failure: RequestFailure, retryAfter: Int64?, at now: Int64
  ) throws(SQLiteError) -> ChangeFate.Outcome? {
    var row = change
    let isTransient = failure.code.row?.isTransient == true
    if row.attempts + 1 >= PushAnswer.attemptsMax && !isTransient {
      return try fail(row, failure.code.rawValue, failure.reason)
    }
    row.attempts += 1
    (row.code, row.reason) = (failure.code.rawValue, failure.reason)
    let own = Backoff.firstMilliseconds << min(row.attempts, 8)
    row.retry = now + min(max(own, retryAfter ?? 0), Backoff.serverLongestMilliseconds)
    try put(row)
    return nil
  }

  /// Keeps a change as failed.
  func fail(
    _ change: ChangeRow, _ code: String, _ reason: String
  ) throws(SQLiteError) -> ChangeFate.Outcome {
    var row = change
    row.attempts += 1
    (row.state, row.code, row.reason) = (.failed, code, reason)
    try put(row)
    return .failed(code: code, reason: reason)
  }
}
