import SyncClient

/// Deletion wins: what somebody deleted is nowhere any more.
enum DeletionCheck {
  static func find(_ moment: QuietMoment) throws -> String? {
    for uid in moment.world.ledger.deleted.sorted() {
      guard let name = moment.records[uid]?.name, !moment.isExempt(name, uid) else { continue }
      return "\(uid) was deleted, and \(name) is there"
    }
    return nil
  }
}
