import DataModel
import ObjectStore
import RecordWire
import Testing

@testable import SyncClient

@Suite struct EdgeTests {
  @Test func `a pair is a record of its own, and the record that pair`() throws {
    let world = try World(FlightLog.schema, .native)
    let tags = try needed(world.edge("Entry", "tags"), "the relationship")
    let content = EdgeContent(source: "E", target: "T", targetOrder: 5)

    let record = tags.record(content)

    #expect(
      record
        == EdgeRecord(
          name: RecordName(_checked: "Entry_tags:E:T"),
          fields: ["source": .string("E"), "target": .string("T"), "source_order": .int64(5)]))
    #expect(world.edge("Tag", "entries") === tags)
    #expect(
      shown(world.records.edge(recordType: "Entry_tags", fields: record?.fields ?? [:]))
        == "tags \(content)")
  }

  @Test func `in Core Data's layout a pair is three texts, in an order of its own`() throws {
    let world = try World(Self.lowerCase, .coreData)
    // The table is named after `Zebra`, by bytes; the record after `apple`, whatever the case.
    let edge = try needed(world.edge("Zebra", "apples"), "the relationship")
    #expect(edge.isFlipped)
    let content = EdgeContent(source: "Z1", target: "A1")

    let record = try needed(edge.record(content), "the record")

    #expect(
      record.fields == [
        "CD_entityNames": .string("apple:Zebra"), "CD_recordNames": .string("A1:Z1"),
        "CD_relationships": .string("zebras:apples"),
      ])
    #expect(
      shown(world.records.edge(recordType: "CDMR", fields: record.fields)) == "apples \(content)")
    // Another writer has put them the other way round.
    let swapped = world.records.edge(
      recordType: "CDMR",
      fields: [
        "CD_entityNames": .string("Zebra:apple"), "CD_recordNames": .string("Z1:A1"),
        "CD_relationships": .string("apples:zebras"),
      ])
    #expect(shown(swapped) == "apples \(content)")
    #expect(edge.record(EdgeContent(source: "Z:1", target: "A1")) == nil)
  }

  private static let lowerCase = Schema(
    name: "Case",
    entities: [
      Schema.Entity(
        name: "Zebra",
        relationships: [
          Schema.Relationship(
            name: "apples", destination: "apple", inverse: "zebras", isToMany: true)
        ]),
      Schema.Entity(
        name: "apple",
        relationships: [
          Schema.Relationship(
            name: "zebras", destination: "Zebra", inverse: "apples", isToMany: true)
        ]),
    ])

  @Test func `of a relationship with itself a pair is one record, whichever end asks`() throws {
    for profile in MappingProfile.allCases {
      let world = try World(FlightLog.schema, profile)
      let friends = try needed(world.friends, "friends")
      let (one, other) = (
        friends.record(EdgeContent(source: "b", target: "a")),
        friends.record(EdgeContent(source: "a", target: "b"))
      )
      #expect(one != nil)
      #expect(one == other)
    }
  }

  @Test(arguments: Setting.all)
  func `pairs are made, ordered, listed and parted, with both ends in history`(
    _ setting: Setting
  ) throws {
    let world = try World(FlightLog.schema, setting.profile, setting.place)
    for _ in 0..<2 { try world.insert("Entry", [:]) }
    for _ in 0..<3 { try world.insert("Tag", [:]) }
    let tags = try needed(world.edge("Entry", "tags"), "the relationship")
    let (entry, tag) = try (world.type("Entry").number, world.type("Tag").number)
    func pair(_ source: Int64, _ target: Int64, _ order: Int64?) -> EdgePair {
      EdgePair(
        source: ObjectKey(entity: entry, key: source), target: ObjectKey(entity: tag, key: target),
        targetOrder: order)
    }
    func all() throws -> [EdgePair] {
      try world.store.readRows { connection in
        var found: [EdgePair] = []
        try tags.forEachPair(in: connection) { found.append($0) }
        return found
      }
    }
    let before = try world.store.history().count

    let joined = try world.write { transaction in
      try [pair(1, 3, 10), pair(1, 2, 20), pair(2, 3, nil), pair(1, 9, 1)].map { pair in
        try tags.join(pair, in: transaction)
      }
    }
    #expect(joined == [true, true, true, false], "there is no ninth tag")
    // Core Data's records have no order: what comes later is behind.
    let isNative = setting.profile == .native
    #expect(
      try all()
        == (isNative
          ? [pair(1, 2, 20), pair(1, 3, 10), pair(2, 3, nil)]
          : [pair(1, 2, 2048), pair(1, 3, 1024), pair(2, 3, 1024)]))
    #expect(
      try world.history(skipping: before) == [
        "contrail.sync: update Entry 1: tags", "contrail.sync: update Tag 3: entries",
        "contrail.sync: update Entry 1: tags", "contrail.sync: update Tag 2: entries",
        "contrail.sync: update Entry 2: tags", "contrail.sync: update Tag 3: entries",
      ])
    let again = try world.write { try tags.join(pair(1, 3, isNative ? 10 : nil), in: $0) }
    #expect(!again, "it is there already")
    let parted = try world.write { try tags.part(source: 1, target: 2, in: $0) }
    #expect(parted)
    let ofTag = try world.store.readRows { connection in
      try tags.pairs(of: 3, at: tags.isFlipped ? .source : .target, in: connection)
    }
    #expect(
      ofTag
        == (isNative ? [pair(1, 3, 10), pair(2, 3, nil)] : [pair(1, 3, 1024), pair(2, 3, 1024)]))
    #expect(try all() == ofTag)
  }

  @Test(arguments: World.Place.allCases)
  func `a pair of a relationship with itself is seen from both ends and listed once`(
    _ place: World.Place
  ) throws {
    let world = try World(FlightLog.schema, .native, place)
    try world.insert("Person", [:])
    try world.insert("Pilot", [:])
    let friends = try needed(world.friends, "friends")
    let (person, pilot) = try (world.type("Person").number, world.type("Pilot").number)
    let pair = EdgePair(
      source: ObjectKey(entity: person, key: 1), target: ObjectKey(entity: pilot, key: 2))
    let before = try world.store.history().count

    try world.write { transaction in
      _ = try friends.join(
        EdgePair(source: pair.target, target: pair.source), in: transaction)
    }

    try world.store.readRows { connection in
      var all: [EdgePair] = []
      try friends.forEachPair(in: connection) { all.append($0) }
      #expect(all == [pair])
      #expect(try friends.pairs(of: 1, at: .source, in: connection) == [pair])
      #expect(try friends.pairs(of: 2, at: .source, in: connection) == [pair])
      #expect(try friends.pair(source: 2, target: 1, in: connection) == pair)
    }
    #expect(
      try Set(world.history(skipping: before)) == [
        "contrail.sync: update Pilot 2: friends", "contrail.sync: update Person 1: friends",
      ])
    let context = ModelContext(world.store)
    let people = try context.fetch(FetchRequest("Person"))
    #expect(try people.map { try $0.relatedObjects("friends").map(\.key) } == [[2], [1]])
    #expect(try world.write { try friends.part(source: 1, target: 2, in: $0) })
    context.receiveChanges()
    #expect(try people.map { try $0.relatedObjects("friends").map(\.key) } == [[], []])
  }

  @Test func `places that a context gave are in the records, and lead to the same lists elsewhere`()
    throws
  {
    let (here, there) = try (World(Self.mutual, .native), World(Self.mutual, .native))
    let context = ModelContext(here.store)
    let people = try (0..<3).map { _ in try context.insert("Person") }
    try people[0].setRelated("friends", [people[2], people[1]])
    try context.save()
    try people[2].setRelated("friends", [people[1], people[0]])
    try context.save()
    let friends = try needed(here.friends, "friends")
    for _ in people { try there.insert("Person", [:]) }
    let copies = try needed(there.friends, "friends")
    var contents: [EdgeContent] = []
    try here.store.readRows { connection in
      try friends.forEachPair(in: connection) { pair in
        contents.append(
          EdgeContent(
            source: "Person-\(pair.source.key)", target: "Person-\(pair.target.key)",
            sourceOrder: pair.sourceOrder, targetOrder: pair.targetOrder))
      }
    }

    try there.write { transaction in
      for content in contents {
        let record = try needed(friends.record(content), "a record")
        guard
          case .edge(_, let read) = there.records.edge(
            recordType: copies.edge.recordType, fields: record.fields)
        else { throw Missing(description: "an edge") }
        let (source, target) = try (
          needed(there.key(read.source), "a key"), needed(there.key(read.target), "a key")
        )
        _ = try copies.join(
          EdgePair(
            source: source, target: target, sourceOrder: read.sourceOrder,
            targetOrder: read.targetOrder), in: transaction)
      }
    }

    #expect(contents.count == 3)
    #expect(try there.lists() == here.lists())
    #expect(try here.lists() == [1: [3, 2], 2: [1, 3], 3: [2, 1]])
  }

  private static let mutual = Schema(
    name: "Mutual",
    entities: [
      Schema.Entity(
        name: "Person",
        relationships: [
          Schema.Relationship(
            name: "friends", destination: "Person", inverse: "friends", isToMany: true,
            isOrdered: true)
        ])
    ])

  @Test func `records that are no pairs of ours are told apart from those that are damaged`() throws
  {
    let native = try World(FlightLog.schema, .native).records
    let mirrored = try World(FlightLog.schema, .coreData).records
    func read(_ names: String, _ records: String, _ relationships: String) -> String {
      shown(
        mirrored.edge(
          recordType: "CDMR",
          fields: [
            "CD_entityNames": .string(names), "CD_recordNames": .string(records),
            "CD_relationships": .string(relationships),
          ]))
    }

    #expect(shown(native.edge(recordType: "Nothing", fields: [:])) == "unknown")
    #expect(
      shown(
        native.edge(recordType: "Entry_tags", fields: ["source": .int64(1), "target": .string("")]))
          == """
          Entry_tags: source should be STRING with the name of a record, and is INT64
          Entry_tags: target should be STRING with the name of a record, and is ""
          """)
    #expect(read("Entry:Tag", "a:b", "stickers:entries") == "unknown")
    #expect(
      read("Entry:Tag", "a", "tags:entries")
        == "CDMR: CD_recordNames should be STRING with two names and a colon between them, and is \"a\""
    )
    #expect(read("Entry:Tag", "a:b", "tags:entries").hasPrefix("tags EdgeContent(source: \"a\""))
    // The names of entities that inherit from the one that has the relationship.
    #expect(
      read("Pilot:Instructor", "a:b", "friends:friends").hasPrefix(
        "friends EdgeContent(source: \"a\""))
  }
}

private func shown(_ reading: EdgeReading) -> String {
  switch reading {
  case .edge(let type, let content):
    let entity = type.sourceLayout
    let name = entity.slots.first { $0.number == type.number }?.name ?? ""
    return "\(name) \(content)"
  case .unknown: return "unknown"
  case .unfit(let fields): return fields.map(\.description).joined(separator: "\n")
  }
}

extension World {
  fileprivate func key(_ name: String) throws -> ObjectKey? { try object(name) }

  /// Friends of everybody, by keys.
  fileprivate func lists() throws -> [Int64: [Int64]] {
    let context = ModelContext(store)
    defer { withExtendedLifetime(context) {} }
    let people = try context.fetch(FetchRequest("Person"))
    var lists: [Int64: [Int64]] = [:]
    for person in people { lists[person.key] = try person.relatedObjects("friends").map(\.key) }
    return lists
  }
}
