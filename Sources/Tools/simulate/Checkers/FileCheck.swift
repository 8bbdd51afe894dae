import DataModel
import ObjectStore
import RecordWire
import SyncClient

/// Files are what somebody gave last, byte by byte, on the server and on every device.
enum FileCheck {
  private static let field = "photo"

  static func find(_ moment: QuietMoment) throws -> String? {
    for (place, edits) in moment.world.ledger.files {
      guard let found = moment.records[place.uid], !moment.isExempt(found.name, place.uid) else {
        continue
      }
      let newest =
        moment.canTellEdits ? moment.world.ledger.newestFiles(place) : edits.map(\.value)
      let bytes: [UInt8]?
      switch moment.value(place.field, of: found.record) {
      case .asset(let asset):
        guard let held = moment.world.hall.bytes(of: asset) else {
          return "\(place.uid).\(place.field) names a file that the server has not"
        }
        bytes = held
      case .bytes(let held): bytes = held
      default: bytes = nil
      }
      let isNewest =
        bytes.map { newest.contains(PhotoMark($0).text) }
        ?? (newest.contains(where: PhotoMark.isNone) || moment.mayBeNothing(place))
      if !isNewest {
        return
          "\(place.uid).\(place.field) is \(bytes.map { PhotoMark($0).text } ?? "nothing"), which was "
          + "written over by \(newest) (\(edits.count) edits)"
      }
      if let other = try moment.world.devices.compactMap({ try differs($0, place, bytes) }).first {
        return other
      }
    }
    return nil
  }

  /// What a device has in place of the server's bytes; nil where it has the same, or knows no such object.
  private static func differs(
    _ device: SimulatedDevice, _ place: Ledger.Place, _ bytes: [UInt8]?
  ) throws -> String? {
    let bench = Workbench(ModelContext(device.store, isolation: nil), device: device.index)
    for entity in WorldSchema.withPhotos(version: device.options.version) {
      guard let object = try bench.all(entity).first(where: { try bench.uid($0) == place.uid })
      else { continue }
      let value = try object.value(place.field)
      let has: [UInt8]? = if case .data(let own) = value { own } else { nil }
      if has == bytes { return nil }
      return "device \(device.index) has \(has.map { PhotoMark($0).text } ?? "nothing") in "
        + "\(place.uid).\(place.field), and the server \(bytes.map { PhotoMark($0).text } ?? "nothing")"
    }
    return nil
  }
}
