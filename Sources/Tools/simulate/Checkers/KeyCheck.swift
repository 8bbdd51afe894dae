import RecordWire
import SyncClient

/// Objects with the same natural key are one, and nothing refers to those that are none any more.
enum KeyCheck {
  static func find(_ moment: QuietMoment) throws -> String? {
    // What was refused for good may keep an object from becoming another one.
    guard !moment.hasFailures else { return nil }
    if let found = twins(moment) { return found }
    // Who keeps an object for itself may refer to it; and who makes one of two objects does not see what refers
    // to them for later versions of the program.
    let mayBeStray =
      moment.world.exempt.isAnythingGivenUp
      || moment.world.options.features.contains(.laterRecords)
    return mayBeStray ? nil : strayReference(moment)
  }

  private static func twins(_ moment: QuietMoment) -> String? {
    var names: [String: String] = [:]
    for (name, record) in moment.observer.live.sorted(by: { $0.key < $1.key })
    where moment.world.hall.names.entity(of: record.type) == WorldSchema.keyed {
      guard case .string(let code) = moment.value("code", of: record) else { continue }
      if let other = names[code] { return "\(other) and \(name) both have the key \"\(code)\"" }
      names[code] = name
    }
    return nil
  }

  /// Nobody deletes such objects, so that every reference to one leads somewhere.
  ///
  /// But after a loss one that was dropped may be sent again, and a copy of the request that dropped it, which nobody
  /// waits for any more, arrives after that.
  private static func strayReference(_ moment: QuietMoment) -> String? {
    for (name, record) in moment.observer.live.sorted(by: { $0.key < $1.key })
    where moment.world.hall.names.entity(of: record.type) == "Item" {
      guard case .string(let target) = moment.value("airport", of: record) else { continue }
      let exempt = moment.world.exempt
      if exempt.hasLosses && exempt.strayNames.contains(target) { continue }
      if moment.observer.live[target] == nil { return "\(name) refers to \(target), which is gone" }
    }
    return nil
  }
}
