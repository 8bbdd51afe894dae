import DataModel
import RecordWire
import SyncClient
import SyncCore

/// Every device has what the server has: its copies byte by byte, what it does not know included, and its
/// objects as far as its schema goes.
enum EqualityCheck {
  static func find(_ moment: QuietMoment) throws -> String? {
    for (index, inspection) in moment.inspections.enumerated() {
      if let found = try copies(inspection, index, moment) ?? objects(inspection, index, moment) {
        return "device \(index): \(found)"
      }
    }
    return nil
  }

  /// The copies of what the server confirmed.
  private static func copies(
    _ inspection: SyncInspection, _ device: Int, _ moment: QuietMoment
  ) throws -> String? {
    let isKeeper = moment.world.exempt.keepers.contains(device)
    let discards = moment.world.exempt.discards[device] ?? Discards()
    var rest = moment.observer.live
    for record in inspection.records {
      // What the server has lost is kept here only, or was refused, or given up when it was to be sent again.
      let isKept = isKeeper || discards.untold.contains(record.name)
      if record.isLost, isKept || record.changes.contains(where: { $0.state == .failed }) {
        continue
      }
      guard let base = record.base else { continue }
      guard let live = rest.removeValue(forKey: record.name) else {
        return "has a copy of \(record.type) \(record.name), which the server has not"
      }
      if try FieldBytes(base) != FieldBytes(live.fields) {
        return
          "its copy of \(record.type) \(record.name) is \(base.shown), the server's \(live.fields.shown)"
      }
    }
    guard let missing = rest.keys.sorted().first else { return nil }
    return "lacks \(rest[missing]?.type ?? "") \(missing)"
  }

  /// The objects.
  private static func objects(
    _ inspection: SyncInspection, _ device: Int, _ moment: QuietMoment
  ) -> String? {
    if !inspection.hasReadHistory { return "has history that was never read" }
    let discards = moment.world.exempt.discards[device] ?? Discards()
    if let found = StateCheck.find(inspection, discards) { return found }
    for record in inspection.records {
      let name = "\(record.type) \(record.name)"
      if record.changes.contains(where: { $0.state == .failed }) { continue }
      if !record.changes.isEmpty { return "\(name) is still to be sent" }
      if !record.isOwned, mayBeObject(record, inspection, device, moment) {
        return "\(name) is no object"
      }
      let version = moment.world.devices[device].options.version
      if record.isOwned, let base = record.base, !moment.hasFailures,
        isTooNew(base, version, moment.world.hall.names)
      {
        return "\(name) is seen, and is for later versions"
      }
      for (field, target) in record.waiting
      where target != record.name && isThere(target, inspection) {
        return "\(name) waits in \(field) for \(target), which is there"
      }
    }
    return nil
  }

  private static func isThere(_ name: String, _ inspection: SyncInspection) -> Bool {
    inspection.records.contains { $0.name == name && $0.isOwned && $0.local != nil }
  }

  /// Whether a record that is no object here could be one: its type is known here, and so are its ends,
  /// none of which was deleted here in vain.
  private static func mayBeObject(
    _ record: SyncInspection.Record, _ inspection: SyncInspection, _ device: Int,
    _ moment: QuietMoment
  ) -> Bool {
    guard let base = record.base else { return false }
    let (names, version) = (moment.world.hall.names, moment.world.devices[device].options.version)
    if let entity = names.entity(of: record.type) {
      let isKnown =
        entity == WorldSchema.keyed || WorldSchema.entities(version: version).contains(entity)
      return isKnown && !isTooNew(base, version, names)
    }
    let ends = names.ends(of: base)
    return ends.count == 2
      && ends.allSatisfy { name in
        guard let end = moment.observer.live[name] else { return false }
        return !isTooNew(end.fields, version, names) && !isDeletedHere(name, inspection)
      }
  }

  /// Whether a record is made for later versions than a device's.
  private static func isTooNew(_ fields: RecordFields, _ version: Int, _ names: WorldNames) -> Bool
  {
    guard case .int64(let least) = names.value(WorldSchema.minimum.name, in: fields) else {
      return false
    }
    return least > version
  }

  private static func isDeletedHere(_ name: String, _ inspection: SyncInspection) -> Bool {
    inspection.records.contains { record in
      record.name == name && record.changes.contains { $0.kind == .delete }
    }
  }
}

extension RecordFields {
  var shown: String {
    "{" + entries.map { "\($0.name): \($0.field.value)" }.joined(separator: ", ") + "}"
  }
}
