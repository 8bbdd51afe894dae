import SyncClient

/// What a device has given up.
struct Discards {
  /// Records that the server was never told of, or has lost.
  private(set) var untold: Set<String> = []
  /// Fields that differ from the server's, by record.
  private var fields: [String: Set<String>] = [:]
  /// The fields of both ends of what was given up of a one-to-one relationship: who is not the partner of one any
  /// more is not of the other.
  private var mutual: Set<String> = []

  mutating func note(_ record: SyncInspection.Record, after: SyncInspection.Record?) {
    guard let after else { return }
    if after.base == nil || after.isLost { untold.insert(record.name) }
    fields[record.name, default: []].formUnion(after.differences)
    if !Self.ends.isDisjoint(with: after.differences) { mutual = Self.ends }
  }

  private static let ends: Set<String> = ["badge", "holder", "CD_badge", "CD_holder"]

  /// Whether a field may differ.
  func allow(_ field: String, of record: String) -> Bool {
    untold.contains(record) || mutual.contains(field) || fields[record]?.contains(field) == true
  }
}
