import ObjectStore
import SyncClient

/// No unit of push is half visible: objects that are only ever edited together are the same on every device.
enum UnitCheck {
  static func find(_ moment: PassMoment) throws -> String? {
    if moment.world.exempt.isAnyUnitInParts { return nil }
    let bench = Workbench(
      ModelContext(moment.device.store, isolation: nil), device: moment.device.index)
    var marks: [String] = []
    for person in try bench.all("Person") {
      let uid = try bench.uid(person)
      guard Worker.units.contains(uid) else { continue }
      marks.append("\(try person.value("mark"))")
    }
    if marks.isEmpty { return nil }
    if marks.count != Worker.units.count { return "only \(marks.count) objects of a unit are here" }
    return Set(marks).count == 1 ? nil : "a unit's marks are \(marks)"
  }
}
