import RecordWire
import SyncClient

extension ServerHall {
  /// What the server says that the zone's digest is, with those of its records; nil where it does not say.
  func digest() async throws -> ZoneDigestState? {
    let all = Array(0..<RecordDigest.bucketCount)
    let request = ZoneDigestRequest(zones: [.init(names.zone, recordsOf: all)])
    let reply = await answer(
      SyncCall("zones/digest", in: .databaseExtension(.private), body: try request.json()))
    guard reply.status == 200,
      case .state(let state)? = try ZoneDigestResponse(json: reply.body).zones.first
    else { return nil }
    return state
  }
}
