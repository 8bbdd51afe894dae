import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

/// What a store does, whatever its kind.
@Suite struct KindConformanceTests {
  /// Opens, does something, opens again where the kind lasts, and looks.
  private func check(
    _ kind: StoreKind, _ fill: (Store) throws -> Void, _ look: (Store) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let location = Store.Location(kind, path: folder.file("store"))
    var store: Store? = try Store(at: location, schema: KindSamples.schema)
    try fill(#require(store))
    if kind != .inMemory {
      store = nil
      store = try Store(at: location, schema: KindSamples.schema)
    }
    try look(#require(store))
    store = nil
    #expect(try folder.names == (kind == .inMemory ? [] : ["store"]))
  }

  private func all(_ entity: String, _ context: ModelContext) throws -> [ManagedObject] {
    try context.fetchStored(
      StoredQuery(layout: #require(context.store.layout.entity(entity))))
  }

  @Test(arguments: StoreKind.allCases)
  func `every value comes back as it was`(kind: StoreKind) throws {
    try check(kind, KindSamples.fill) { store in
      let trips = try all("Trip", ModelContext(store))
      #expect(trips.count == KindSamples.values.count)
      for (trip, expected) in zip(trips, KindSamples.values) {
        for slot in trip.layout.slots where slot.attribute != nil {
          let value = try trip.value(slot.name)
          let wanted = expected[slot.name] ?? .null
          // Not as two operands: Foundation cannot show a date that is NaN.
          let isEqual = value == wanted
          #expect(isEqual, "\(slot.name)")
          if case .string(let text) = value, case .string(let other) = wanted {
            #expect(Array(text.utf8) == Array(other.utf8))
          }
        }
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `relationships come back with their order`(kind: StoreKind) throws {
    try check(kind, KindSamples.fill) { store in
      let context = ModelContext(store)
      let trips = try all("Trip", context)
      let glider = try #require(try all("Glider", context).first)
      #expect(
        try glider.relatedObjects("trips").map(\.identity)
          == [trips[3], trips[0], trips[2]].map(\.identity))
      let plane = try #require(try trips[1].related("craft"))
      #expect(try plane.value("name") == .string("C 172"))
      #expect(try plane.value("power") == .integer(180))
      let words = try trips[0].relatedObjects("tags").map { try $0.value("word") }
      #expect(words == [.string("first"), .string("night"), .string("long")])
      #expect(try trips[0].related("next") === trips[1])
      #expect(try trips[1].related("previous") === trips[0])
      #expect(try trips[4].relatedObjects("near").map(\.identity) == [trips[0].identity])
      #expect(try all("Craft", context).map(\.entity) == ["Glider", "Plane"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `all rows, history too, are the same after opening again`(kind: StoreKind) throws {
    var before: StoreImage?
    try check(
      kind,
      {
        try KindSamples.fill($0)
        before = try KindSamples.whole($0)
      },
      { store in
        #expect(try KindSamples.whole(store) == before)
        // And it goes on: new numbers follow the old ones.
        try KindSamples.fillMore(store)
        let transactions = try #require(
          try KindSamples.whole(store).ownTables.first { $0.name == "contrail_transaction" })
        let numbers = (0..<transactions.rowCount).map { transactions.row($0).first }
        #expect(numbers == (1...5).map { .integer($0) })
      })
  }

  @Test(arguments: StoreKind.allCases)
  func `a save that fails changes nothing`(kind: StoreKind) throws {
    struct Stop: Error {}
    var before: StoreImage?
    try check(
      kind,
      { store in
        try KindSamples.fill(store)
        before = try KindSamples.whole(store)
        #expect(throws: Stop.self) {
          try store.write { transaction in
            try transaction.connection.execute("DELETE FROM Trip")
            throw Stop()
          }
        }
      },
      { store in
        let after = try KindSamples.whole(store)
        #expect(after == before)
      })
  }

  @Test(arguments: StoreKind.allCases)
  func `facts of users are kept, replaced and forgotten`(kind: StoreKind) throws {
    try check(
      kind,
      { store in
        try store.setUserFact("colour", to: "red")
        try store.setUserFact("colour", to: "blue \0 <&>")
        try store.setUserFact("gone", to: "soon")
        try store.setUserFact("gone", to: nil)
      },
      { store in
        #expect(try store.userFacts() == ["colour": "blue \0 <&>"])
        #expect(store.kind == kind)
        guard let path = store.location.path else { return }
        let facts = try Store.facts(at: path)
        #expect(facts.kind == kind)
        #expect(facts.identifier == store.identifier)
        #expect(facts.userFacts == ["colour": "blue \0 <&>"])
        #expect(facts.schema == KindSamples.schema)
      })
  }

  @Test(arguments: StoreKind.allCases)
  func `erasing takes objects and history, and no key or number comes twice`(
    kind: StoreKind
  ) throws {
    try check(
      kind,
      { store in
        try KindSamples.fill(store)
        try store.setUserFact("colour", to: "red")
        let context = ModelContext(store)
        let tag = try #require(try all("Tag", context).first)
        try store.erase()
        context.receiveChanges()
        #expect(try all("Tag", context).isEmpty)
        #expect(context.takeProblems().isEmpty)
        _ = tag
      },
      { store in
        let erased = try KindSamples.whole(store)
        #expect(erased.objectTables.allSatisfy { $0.cells.isEmpty })
        #expect(try store.userFacts() == ["colour": "red"])
        let context = ModelContext(store)
        let tag = try context.insert("Tag")
        try context.save()
        #expect(tag.identity.map { $0.key > 3 } == true)
        let number = try store.read { connection in
          let statement = try connection.prepare(
            "SELECT max(number), count(*) FROM contrail_transaction")
          return try statement.step() ? [statement.integer(0), statement.integer(1)] : []
        }
        #expect(number == [7, 2])
      })
  }

  @Test(arguments: StoreKind.allCases)
  func `a store that may only be read is not changed`(kind: StoreKind) throws {
    guard kind != .inMemory else { return }
    let folder = try TemporaryFolder()
    let location = Store.Location(kind, path: folder.file("store"))
    try KindSamples.fill(try Store(at: location, schema: KindSamples.schema))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("store")))
    var options = Store.Options()
    options.allowsSave = false
    let store = try Store(at: location, schema: KindSamples.schema, options: options)
    #expect(storeErrorCode { try store.setUserFact("a", to: "b") } == .readOnly)
    #expect(try all("Tag", ModelContext(store)).count == 3)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("store"))) == bytes)
  }
}

extension KindSamples {
  /// One more transaction.
  static func fillMore(_ store: Store) throws {
    let context = ModelContext(store)
    let tag = try context.insert("Tag")
    try tag.setValue("word", .string("more"))
    try context.save()
  }
}
