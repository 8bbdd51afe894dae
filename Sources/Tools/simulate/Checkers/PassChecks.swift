import SyncClient
import SyncCore

/// A device at the end of a pass.
struct PassMoment {
  let world: World
  let device: SimulatedDevice
  let inspection: SyncInspection
}

/// What has to hold at the end of each pass that is complete: one row, one file.
struct PassCheck: Sendable {
  let name: String
  /// What is wrong; nil where nothing is.
  let find: @Sendable (PassMoment) throws -> String?

  static let rows = [
    PassCheck(name: "states", find: { StateCheck.find($0) }),
    PassCheck(name: "units", find: UnitCheck.find),
    PassCheck(name: "tokens", find: TokenCheck.find),
  ]
}

extension World {
  func check(_ device: SimulatedDevice, _ end: SyncMachine.PassEnd) throws {
    guard let session = device.session, end.outcome == .complete else { return }
    let moment = PassMoment(world: self, device: device, inspection: try session.inspection())
    for check in PassCheck.rows {
      if let found = try check.find(moment) {
        throw fail(check.name, "device \(device.index): \(found)")
      }
    }
  }
}
