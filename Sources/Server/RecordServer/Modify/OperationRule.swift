import RecordWire

/// What an operation demands of the record that is there, and what it does to it.
struct OperationRule {
  /// Whether the record must not be there.
  var needsAbsence = false
  /// Whether the record must be there, in the state that the change tag names.
  var needsTag = false
  /// Whether it makes the record where there is none.
  var mayCreate = false
  /// Whether fields that are not given stay as they are.
  var keepsOtherFields = false
  /// Whether the record is deleted.
  var isDeletion = false

  /// Cloud services' own table of operations, one row each.
  static let rows: [RecordOperation.Kind: OperationRule] = [
    .create: OperationRule(needsAbsence: true, mayCreate: true),
    .update: OperationRule(needsTag: true, keepsOtherFields: true),
    .forceUpdate: OperationRule(mayCreate: true, keepsOtherFields: true),
    .replace: OperationRule(needsTag: true),
    .forceReplace: OperationRule(mayCreate: true),
    .delete: OperationRule(needsTag: true, isDeletion: true),
    .forceDelete: OperationRule(isDeletion: true),
  ]
}

extension RecordOperation.Kind {
  var rule: OperationRule { OperationRule.rows[self] ?? OperationRule(needsTag: true) }
}

extension RequestFailure {
  // The words that clients of the protocol look for.
  static let recordExists = RequestFailure(.exists, reason: "record to insert already exists")
  static let noSuchRecord = RequestFailure(
    .notFound, reason: "recordChangeTag specified, but record not found.")
  static let staleTag = RequestFailure(
    .conflict, reason: "client oplock error updating record")
  static let deniedByReference = RequestFailure(
    .validatingReferenceError,
    reason: "Record delete would violate validating reference, rejecting update")
  static let notPermitted = RequestFailure(
    .accessDenied, reason: "operation not permitted by the grants of the record type")
  static let atomicFailure = RequestFailure(
    .atomicError, reason: "another operation of the atomic batch failed")

  static func badRequest(_ reason: String) -> RequestFailure {
    RequestFailure(.badRequest, reason: reason)
  }

  static func noTarget(_ name: String) -> RequestFailure {
    RequestFailure(
      .validatingReferenceError,
      reason: "Record save would violate validating reference: '\(name)' does not exist")
  }
}
