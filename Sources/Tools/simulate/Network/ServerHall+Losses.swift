import RecordServer
import RecordWire
import SyncClient

// What a server loses as a whole.
extension ServerHall {
  /// Takes zones away.
  func loseZones(_ loss: ServerLoss) async throws {
    switch loss {
    case .zoneDeleted: try await change(.delete)
    case .zoneReset:
      try await change(.delete)
      try await change(.create)
    default:
      let now = clock.now
      try await storage.write { try $0.deleteAllZones(at: now) }
    }
  }

  private func change(_ kind: ZoneModifyRequest.Operation.Kind) async throws {
    let request = ZoneModifyRequest(operations: [.init(kind, names.zone)])
    _ = await answer(
      SyncCall("zones/modify", in: .database(.private), body: try request.json()))
  }

  /// Forgets tombstones.
  func forgetTombstones(madeBefore moment: Int64) async throws {
    _ = try await service.dropTombstones(madeBefore: moment)
  }
}
