public import RecordWire

/// What has to be done about a record that the server did not take.
///
/// No answer makes a change disappear: whatever the server says, and whatever it may say one day, the
/// change is done, waits, is parked, or is kept as failed.
public enum ItemConsequence: Hashable, Sendable {
  /// What was wanted is so already.
  case isDone
  /// The server has another state: it is asked for it, and the edits are merged.
  case lookUp
  /// Others in the batch were at fault; it is sent again.
  case isInnocent
  /// Production lacks a type or a field: just that waits for its promotion.
  case park(SchemaLack)
  /// It is sent again later.
  case wait
  /// It is kept as failed until somebody does something about it.
  case fail
  /// The zone is not there.
  case zoneGone
  /// The user's or the program's quota is used up.
  case quota
  /// The credentials were refused.
  case signIn
}

extension ItemConsequence {
  private struct Row: Sendable {
    var code: ErrorCode
    var onSave: ItemConsequence
    var onDelete: ItemConsequence
  }

  private static let rows: [Row] = [
    row(.conflict, .lookUp), row(.exists, .lookUp),
    // An update of what was deleted is looked up like any conflict, and finds the tombstone.
    row(.notFound, .lookUp, onDelete: .isDone),
    row(.atomicError, .isInnocent),
    row(.throttled, .wait), row(.tryAgainLater, .wait), row(.internalError, .wait),
    row(.validatingReferenceError, .wait),
    row(.quotaExceeded, .quota),
    row(.zoneNotFound, .zoneGone),
    row(.authenticationFailed, .signIn), row(.authenticationRequired, .signIn),
    row(.accessDenied, .fail), row(.badRequest, .fail),
  ]

  private static func row(
    _ code: ErrorCode, _ onSave: ItemConsequence, onDelete: ItemConsequence? = nil
  ) -> Row {
    Row(code: code, onSave: onSave, onDelete: onDelete ?? onSave)
  }

  private static let byCode = Dictionary(rows.map { ($0.code, $0) }) { first, _ in first }

  /// What a failure of one operation means; a code that nobody knows means to wait.
  public init(_ failure: RequestFailure, isDeletion: Bool) {
    if !isDeletion, let lack = SchemaLack(reason: failure.reason) {
      self = .park(lack)
      return
    }
    let row = Self.byCode[failure.code]
    self = (isDeletion ? row?.onDelete : row?.onSave) ?? .wait
  }
}
