import DataModel
import ObjectStore
import RecordWire
import SchemaGenerator
import SyncCore
import Testing

@testable import SyncClient

/// Whole stores as records, and those records as a store.
@Suite struct MirrorTests {
  @Test(arguments: MappingProfile.allCases, [1, 2, 3, 4, 5, 6] as [UInt64])
  func `a store's records make the same store, in whichever order they arrive`(
    _ profile: MappingProfile, _ seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let here = try World(FlightLog.schema, profile)
    try Self.fill(here.store, &generator)
    let sent = try here.mirror { World.name($0, $1) }
    let there = try World(FlightLog.schema, profile, .file)
    var arriving = Arriving(there)

    for record in sent.sorted(by: { $0.key < $1.key }).shuffled(using: &generator) {
      try arriving.take(record.key, record.value)
    }
    try arriving.settle()

    #expect(sent.count > 20)
    let names = Dictionary(uniqueKeysWithValues: arriving.keys.map { ($1, $0) })
    let mirrored = try there.mirror { names[ObjectKey(entity: $0.number, key: $1)] }
    #expect(mirrored == sent, "seed \(seed)")
    // The same once more is no change.
    let before = try there.store.history().count
    for record in sent { try arriving.take(record.key, record.value) }
    #expect(try there.store.history().count == before, "seed \(seed)")
    #expect(arriving.waiting.isEmpty)
  }

  /// Makes objects and relates them at random, through a context.
  private static func fill(_ store: Store, _ generator: inout SeededGenerator) throws {
    let context = ModelContext(store)
    var objects: [ManagedObject] = []
    for _ in 0..<24 {
      let entity = generator.pick(
        ["Person", "Pilot", "Instructor", "License", "Entry", "Entry", "Tag"], or: "Tag")
      objects.append(try context.insert(entity))
    }
    try context.save()
    for _ in 0..<2 {
      for object in objects {
        for slot in object.layout.slots {
          if slot.attribute?.type == .string, slot.attribute?.derivation == nil {
            try object.setValue(slot.name, .string(RandomNames.text(&generator)))
          }
          guard let relationship = slot.relationship else { continue }
          let family = store.layout.entities[relationship.destination].family
          let able = objects.filter { family.contains($0.layout.index) }
          if relationship.schema.isToMany {
            try object.setRelated(
              slot.name, able.shuffled(using: &generator).filter { _ in generator.oneIn(3) })
          } else {
            try object.setRelated(
              slot.name, generator.oneIn(3) ? nil : able.randomElement(using: &generator))
          }
        }
      }
      try context.save()
    }
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt64])
  func `any schema is refused with reasons, or its objects are read, written and deleted`(
    _ part: UInt64
  ) throws {
    var (refused, taken) = (0, 0)
    for seed in part * 60..<(part + 1) * 60 {
      let schema = Schema.random(seed: seed)
      guard let store = try? Store(at: .memory, schema: schema) else { continue }
      for profile in MappingProfile.allCases {
        let records: ObjectRecords
        do {
          records = try ObjectRecords(store.layout, profile)
        } catch {
          #expect(!error.problems.isEmpty)
          refused += 1
          continue
        }
        taken += 1
        for type in records.objectTypes { try Self.tryOut(type, records, store, seed) }
        try store.readRows { connection in
          for edge in records.edgeTypes {
            try edge.forEachPair(in: connection) { _ in }
            _ = try edge.pairs(of: 1, at: .target, in: connection)
          }
        }
      }
    }
    #expect(refused > 0 && taken > 0, "\(refused) refused, \(taken) taken")
  }

  private static func tryOut(
    _ type: ObjectType, _ records: ObjectRecords, _ store: Store, _ seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    var fields = RecordFields()
    for place in type.places where place.destination == nil && place.slot >= 0 {
      fields[place.name] = RecordField(WireValues.random(place.type, using: &generator))
    }
    try store.write(author: SyncAuthor.name) { transaction in
      let writer = ObjectWriter(type, of: records, transaction)
      let object = try writer.insert(fields) { _, _ in nil }
      let key = ObjectKey(entity: type.number, key: object.key)
      let read = try records.fields(of: key, in: transaction.connection) { _, _ in nil }
      #expect(read != nil, "seed \(seed), \(type.entity)")
      for place in type.places where place.destination == nil && place.type != .asset {
        let seen = read?.fields[place.name]?.value ?? .null
        let expected = place.asStored(fields[place.name]?.value ?? .null) ?? place.whenEmpty
        if case .entityName = place.kind { continue }
        #expect(seen.isSame(as: expected), "seed \(seed), \(type.entity).\(place.name)")
      }
      #expect(try writer.update(object.key, fields) { _, _ in nil }?.isChanged == false)
      let isDeleted = try writer.delete(object.key)
      #expect(isDeleted)
    }
  }
}

/// A record as it travels: its type, and its fields.
struct SentRecord: Hashable {
  var type: String
  var fields: RecordFields
}

extension World {
  /// All objects and pairs as records, by name.
  func mirror(_ name: (EntityLayout, Int64) -> String?) throws -> [String: SentRecord] {
    try store.readRows { connection in
      var all: [String: SentRecord] = [:]
      for type in records.objectTypes {
        let reader = try ObjectReader(type, of: records, connection)
        for key in 1...100 as ClosedRange<Int64> {
          guard let object = try reader.fields(of: key, recordName: name) else { continue }
          #expect(object.unnamed.isEmpty)
          all[name(type.layout, key) ?? "?"] = SentRecord(
            type: type.recordType, fields: object.fields)
        }
      }
      for edge in records.edgeTypes {
        try edge.forEachPair(in: connection) { pair in
          func end(_ key: ObjectKey) -> String {
            store.layout.entity(number: key.entity).flatMap { name($0, key.key) } ?? "?"
          }
          let content = EdgeContent(
            source: end(pair.source), target: end(pair.target),
            sourceOrder: pair.sourceOrder, targetOrder: pair.targetOrder)
          let record = try needed(edge.record(content), "a record of \(content)")
          all[record.name.text] = SentRecord(type: edge.edge.recordType, fields: record.fields)
        }
      }
      return all
    }
  }
}

/// Takes records in, one transaction each.
struct Arriving {
  let world: World
  var keys: [String: ObjectKey] = [:]
  var waiting: [(object: ObjectKey, reference: WaitingReference)] = []
  private var edges: [SentRecord] = []

  init(_ world: World) { self.world = world }

  mutating func take(_ name: String, _ record: SentRecord) throws {
    let records = world.records
    if records.isEdge(recordType: record.type) {
      if try !join(record) { edges.append(record) }
      return
    }
    let type = try needed(
      records.objectType(recordType: record.type, fields: record.fields), "the type of \(name)")
    let known = keys
    let object = try world.write { transaction in
      let writer = ObjectWriter(type, of: records, transaction)
      guard let key = known[name] else {
        return try writer.insert(record.fields) { name, _ in known[name] }
      }
      return try needed(
        writer.update(key.key, record.fields) { name, _ in known[name] }, "the object")
    }
    #expect(object.unfit == [])
    let key = ObjectKey(entity: type.number, key: object.key)
    keys[name] = key
    waiting += object.waiting.map { (key, $0) }
  }

  /// Joins what an edge's record says; false where an end is not here.
  private func join(_ record: SentRecord) throws -> Bool {
    guard
      case .edge(let type, let content) = world.records.edge(
        recordType: record.type, fields: record.fields)
    else { throw Missing(description: "an edge in \(record)") }
    guard let source = keys[content.source], let target = keys[content.target] else { return false }
    try world.write { transaction in
      _ = try type.join(
        EdgePair(
          source: source, target: target, sourceOrder: content.sourceOrder,
          targetOrder: content.targetOrder), in: transaction)
    }
    return true
  }

  /// Sets the references and makes the pairs whose ends are here by now.
  mutating func settle() throws {
    for (object, reference) in waiting {
      let type = try needed(world.records.objectType(number: object.entity), "a type")
      let target = keys[reference.target]
      try world.write { transaction in
        let set = try ObjectWriter(type, of: world.records, transaction).setTarget(
          reference.field, of: object.key, to: target)
        #expect(set != nil)
      }
    }
    waiting = []
    for edge in edges { #expect(try join(edge)) }
    edges = []
  }
}
