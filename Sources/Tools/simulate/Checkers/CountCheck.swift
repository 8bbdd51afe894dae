import RecordWire
import SyncClient

/// Every addition counts, once: a field that counts has the sum of all that was added anywhere.
enum CountCheck {
  static func find(_ moment: QuietMoment) throws -> String? {
    // What was added cannot be told from what was there before it, where some of both is lost.
    if moment.world.exempt.hasLosses { return nil }
    for (place, sum) in moment.world.ledger.sums {
      guard let found = moment.records[place.uid],
        !moment.isExempt(found.name, place.uid)
      else { continue }
      var value: Int64 = 0
      if case .int64(let count) = moment.value(place.field, of: found.record) { value = count }
      if value != sum { return "\(place.uid).\(place.field) is \(value), and \(sum) were added" }
    }
    return nil
  }
}
