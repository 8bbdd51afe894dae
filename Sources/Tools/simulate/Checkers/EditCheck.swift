import RecordWire
import SyncClient

/// No edit is lost: what a field has in the end is what somebody wrote, and nobody who saw it has written
/// over it.
enum EditCheck {
  static func find(_ moment: QuietMoment) throws -> String? {
    for (place, edits) in moment.world.ledger.edits {
      guard let found = moment.records[place.uid],
        !moment.isExempt(found.name, place.uid)
      else { continue }
      let newest =
        moment.canTellEdits ? moment.world.ledger.newest(place) : edits.map(\.value)
      guard case .string(let value) = moment.value(place.field, of: found.record) else {
        if moment.mayBeNothing(place) { continue }
        return "\(place.uid).\(place.field) has no value, and \(newest) were written"
      }
      if !newest.contains(value) {
        return
          "\(place.uid).\(place.field) is \(value), which was written over by \(newest) "
          + "(\(edits.count) edits)"
      }
    }
    return missing(moment)
  }

  /// Objects that nobody deleted are there.
  private static func missing(_ moment: QuietMoment) -> String? {
    guard !moment.hasFailures else { return nil }
    let ledger = moment.world.ledger
    return ledger.entities.keys.sorted().first {
      moment.records[$0] == nil && !ledger.deleted.contains($0) && !ledger.mayBeLost($0)
    }.map { "\($0) is not on the server, and nobody has deleted it" }
  }
}
