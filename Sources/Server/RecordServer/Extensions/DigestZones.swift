import RecordWire

/// `zones/digest`: what zones hold, so that clients can see whether they have the same.
enum DigestZones: Operation {
  static let path = "zones/digest"

  static func answer(
    _ request: ZoneDigestRequest, _ context: OperationContext
  ) async throws -> ZoneDigestResponse {
    // All of one transaction: each token is of the moment that its digest is of.
    try await context.service.storage.read { transaction in
      ZoneDigestResponse(
        zones: try request.zones.map { item in
          do {
            return .state(try state(item, transaction, context.zones))
          } catch let failure as RequestFailure {
            return .failure(ItemFailure(.zone(item.zone), failure))
          }
        })
    }
  }

  private static func state(
    _ item: ZoneDigestRequest.Item, _ transaction: any StorageTransaction,
    _ zones: ZoneResolution
  ) throws -> ZoneDigestState {
    let key = try zones.key(item.zone)
    guard key.isCustom, let zone = try transaction.liveZone(key) else {
      throw RequestFailure.noChangesOfDefaultZone
    }
    let digest = try transaction.digest(of: key)
    let whole = digest.whole
    return ZoneDigestState(
      zone: key.identity, syncToken: zone.token.text, count: Int64(clamping: whole.count),
      digest: whole.value, buckets: item.wantsBuckets ? digest.buckets.map(\.value) : nil)
  }
}
