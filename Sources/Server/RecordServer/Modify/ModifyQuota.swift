import RecordWire

/// Holds what a call would write against the limits of its database.
struct ModifyQuota {
  let call: ModifyCall
  let transaction: any StorageTransaction

  /// What fails since the database would be too large, by the positions of operations.
  ///
  /// Whatever makes records smaller goes through, so that a user can get out of it.
  func sizeFailures(_ writes: [Int: RecordWrite]) throws -> [Int: RequestFailure] {
    guard call.bytesMax < .max else { return [:] }
    let growth = writes.values.reduce(into: Int64(0)) { $0 += Int64($1.growth) }
    guard growth > 0 else { return [:] }
    let used = try transaction.bytesUsed(by: call.zone.database)
    guard used > call.bytesMax - growth else { return [:] }
    return writes.filter { $0.value.growth > 0 }.mapValues { _ in .databaseFull(call.bytesMax) }
  }

  /// What fails since too many records would be deleted with another one.
  func sourceFailures(_ writes: [Int: RecordWrite]) throws -> [Int: RequestFailure] {
    var sources: [RecordKey: Set<String>] = [:]
    var failures: [Int: RequestFailure] = [:]
    for (index, write) in writes.sorted(by: { $0.key < $1.key }) {
      for reference in write.references where reference.action == .deleteSelf {
        let target = reference.target
        var names = try sources[target] ?? names(of: target)
        names.insert(write.row.name)
        sources[target] = names
        if names.count > call.deleteSelfSourcesMax {
          failures[index] = .tooManySources(target.name, call.deleteSelfSourcesMax)
        }
      }
    }
    return failures
  }

  private func names(of target: RecordKey) throws -> Set<String> {
    let sources = try transaction.sources(of: [target], limit: .max)
    return Set(sources.filter { $0.reference.action == .deleteSelf }.map(\.record.name))
  }
}

extension RequestFailure {
  fileprivate static func databaseFull(_ bytesMax: Int64) -> RequestFailure {
    RequestFailure(
      .quotaExceeded, reason: "the records of a database take at most \(bytesMax) bytes")
  }

  fileprivate static func tooManySources(_ target: String, _ most: Int) -> RequestFailure {
    .badRequest(
      "at most \(most) records can be deleted with one; '\(target)' has as many already")
  }

  static let usersBelongToServer = RequestFailure(
    .accessDenied, reason: "the server itself makes the records of users and grants their roles")
}
