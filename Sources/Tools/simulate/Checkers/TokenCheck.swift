import RecordWire
import SyncClient

/// Tokens are monotone: no device goes back in the server's history, but to its beginning.
enum TokenCheck {
  static func find(_ moment: PassMoment) throws -> String? {
    let (old, new) = (moment.device.token, moment.inspection.token)
    moment.device.token = new
    guard let new else { return old == nil ? nil : "has no token any more" }
    guard let old else { return nil }
    let (before, after) = (try SyncToken(text: old), try SyncToken(text: new))
    if before.epoch != after.epoch { return "its token is of another history" }
    return after.sequence < before.sequence
      ? "its token went back from \(before.sequence) to \(after.sequence)" : nil
  }
}
