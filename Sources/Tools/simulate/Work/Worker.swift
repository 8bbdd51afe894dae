import DataModel
import ObjectStore
import SyncCore

/// Somebody who edits a device's objects: draws transactions, and says what they did.
struct Worker {
  /// The objects that are only ever edited together.
  static let units = ["u-1", "u-2", "u-3"]

  let device: Int
  var version: Int
  let features: Set<Feature>
  var random: SeededRandom
  private var count = 0

  init(device: Int, _ options: WorldOptions) {
    self.device = device
    version = options.devices[device].version
    features = options.features
    random = RandomForks.source(options.seed, "work \(device)")
  }

  /// Makes the objects that are edited together.
  mutating func begin(_ store: Store) throws -> [Ledger.Act] {
    try transaction(store) { worker, bench in
      let mark = worker.fresh()
      for uid in Self.units {
        let person = try bench.insert("Person", uid)
        try bench.set(person, "mark", mark)
      }
      for entity in ["Person", "Item"] { try worker.insert(entity, bench) }
    }
  }

  /// One transaction of one to four acts.
  mutating func work(_ store: Store) throws -> [Ledger.Act] {
    try transaction(store) { worker, bench in
      for _ in 0..<worker.random.int(1...4) {
        guard let deed = worker.random.pick(worker.deeds) else { return }
        try worker.carryOut(deed, bench)
      }
    }
  }

  private mutating func transaction(
    _ store: Store, _ body: (inout Worker, Workbench) throws -> Void
  ) throws -> [Ledger.Act] {
    let bench = Workbench(ModelContext(store, isolation: nil), device: device)
    try body(&self, bench)
    try bench.context.save()
    return bench.acts
  }

  /// A value that nobody else writes.
  mutating func fresh() -> String {
    count += 1
    return "\(device)-\(count)"
  }
}

extension Worker {
  /// What can be done.
  enum Deed {
    case insert, edit, count, mark, own, disown, hold, tag, untag, reorder, delete, show
    case found, rename, fly, visit, leave
    case raise
  }

  /// What may be done in this world, the usual more often.
  private var deeds: [Deed] {
    let rows: [(Feature?, [Deed])] = [
      (nil, [.insert, .insert, .edit, .edit, .edit]), (.counters, [.count, .count]),
      (.units, [.mark]), (.toOne, [.own, .own, .disown]), (.oneToOne, [.hold]),
      (.manyToMany, [.tag, .tag, .untag]), (.ordered, [.reorder]), (.deletions, [.delete]),
      (.files, [.show, .show]), (.laterRecords, version > 1 ? [.raise, .raise] : []),
      (.naturalKeys, [.found, .found, .rename, .fly, .fly, .visit, .visit, .leave]),
    ]
    return rows.flatMap { feature, deeds in
      feature.map { features.contains($0) } ?? true ? deeds : []
    }
  }

  private mutating func carryOut(_ deed: Deed, _ bench: Workbench) throws {
    switch deed {
    case .insert:
      guard let entity = random.pick(WorldSchema.entities(version: version)) else { return }
      try insert(entity, bench)
    case .edit: try edit(bench)
    case .count: try addToCount(bench)
    case .mark: try mark(bench)
    case .own: try relate(bench, "Item", "owner", to: "Person")
    case .disown: try any("Item", bench)?.setRelated("owner", nil)
    case .hold: try relate(bench, "Person", "badge", to: "Badge")
    case .tag:
      guard let item = try any("Item", bench), let tag = try any("Tag", bench) else { return }
      try item.addRelated("tags", tag)
    case .untag:
      guard let item = try any("Item", bench),
        let tag = random.pick(try item.relatedObjects("tags"))
      else { return }
      try item.removeRelated("tags", tag)
    case .reorder:
      guard let person = try any("Person", bench) else { return }
      try person.setRelated("items", try person.relatedObjects("items").shuffled(using: &random))
    case .delete: try delete(bench)
    case .show: try show(bench)
    case .raise:
      try any("Item", bench)?.setValue(
        WorldSchema.minimum.name, .integer(random.chance(300) ? 1 : 2))
    case .found, .rename, .fly, .visit, .leave: try carryOutKeyed(deed, bench)
    }
  }

  /// What is done with objects that have natural keys.
  private mutating func carryOutKeyed(_ deed: Deed, _ bench: Workbench) throws {
    switch deed {
    case .found:
      let airport = try bench.context.insert(WorldSchema.keyed)
      try airport.setValue("uid", .string(fresh()))
      try airport.setValue("code", .string(code()))
      try airport.setValue("name", .string(fresh()))
    case .rename:
      guard let airport = try any(WorldSchema.keyed, bench) else { return }
      let isKey = random.chance(400)
      try airport.setValue(isKey ? "code" : "name", .string(isKey ? code() : fresh()))
    case .fly: try relate(bench, "Item", "airport", to: WorldSchema.keyed)
    case .visit:
      guard let person = try any("Person", bench), let airport = try any(WorldSchema.keyed, bench)
      else { return }
      try person.addRelated("visits", airport)
    default:
      guard let person = try any("Person", bench),
        let airport = random.pick(try person.relatedObjects("visits"))
      else { return }
      try person.removeRelated("visits", airport)
    }
  }

  /// One of few keys, so that they meet.
  private mutating func code() -> String { "code \(random.int(1...4))" }

  private mutating func insert(_ entity: String, _ bench: Workbench) throws {
    let object = try bench.insert(entity, fresh())
    for field in WorldSchema.texts(of: entity, version: version) {
      try bench.set(object, field, fresh())
    }
    if entity == "Item", features.contains(.counters) {
      try bench.add(object, "count", Int64(random.int(1...9)))
    }
    if entity == "Item", features.contains(.toOne), random.chance(500) {
      try object.setRelated("owner", try any("Person", bench))
    }
    if entity == "Gadget", features.contains(.toOne) {
      try object.setRelated("item", try any("Item", bench))
    }
  }

  private mutating func edit(_ bench: Workbench) throws {
    guard let entity = random.pick(WorldSchema.entities(version: version)),
      let object = try any(entity, bench),
      let field = random.pick(WorldSchema.texts(of: entity, version: version))
    else { return }
    try bench.set(object, field, fresh())
  }

  private mutating func addToCount(_ bench: Workbench) throws {
    guard let item = try any("Item", bench) else { return }
    try bench.add(item, "count", Int64(random.int(1...9)))
  }

  private mutating func mark(_ bench: Workbench) throws {
    let persons = try bench.all("Person").filter { Self.units.contains(try bench.uid($0)) }
    guard persons.count == Self.units.count else { return }
    let mark = fresh()
    for person in persons { try bench.set(person, "mark", mark) }
  }

  private mutating func relate(
    _ bench: Workbench, _ entity: String, _ name: String, to other: String
  ) throws {
    guard let object = try any(entity, bench), let target = try any(other, bench) else { return }
    try object.setRelated(name, target)
  }

  /// Gives an object another photo, or takes it away.
  private mutating func show(_ bench: Workbench) throws {
    guard let entity = random.pick(WorldSchema.withPhotos(version: version)),
      let object = try any(entity, bench)
    else { return }
    try bench.setFile(
      object, "photo", fresh(), byteCount: random.chance(200) ? nil : random.int(0...3_000))
  }

  private mutating func delete(_ bench: Workbench) throws {
    guard let entity = random.pick(WorldSchema.entities(version: version)),
      let object = try any(entity, bench)
    else { return }
    let uid = try bench.uid(object)
    guard !Self.units.contains(uid) else { return }
    try bench.delete(object, uid)
  }

  private mutating func any(_ entity: String, _ bench: Workbench) throws -> ManagedObject? {
    random.pick(try bench.all(entity))
  }
}
