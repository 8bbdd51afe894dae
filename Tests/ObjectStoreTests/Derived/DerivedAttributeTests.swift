import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct DerivedAttributeTests {
  let clock = TestClock()
  let store: Store
  let context: ModelContext

  init() throws {
    store = try Store(at: .memory, schema: Album.schema, environment: clock.environment)
    context = ModelContext(store)
  }

  /// The changes of the last transaction: kind, entity, key and names of properties.
  func lastChanges() throws -> [String] {
    try store.read { connection in
      let statement = try connection.prepare(
        """
        SELECT c.kind, e.name, c.key, c.properties FROM contrail_change AS c \
        JOIN contrail_entity AS e ON e.number = c.entity \
        WHERE c.number >= (SELECT max(first_change) FROM contrail_transaction) ORDER BY c.number
        """)
      var found: [String] = []
      while try statement.step() {
        let numbers = PropertyList.numbers(statement.bytes(3))
        let names = numbers.map { number in
          store.layout.catalogue.properties.first { $0.number == number }?.name ?? "?"
        }
        let kind = ChangeKind(rawValue: statement.integer(0)).map { "\($0)" } ?? "?"
        found.append(
          ([kind, statement.text(1), "\(statement.integer(2))"] + names).joined(separator: " "))
      }
      return found
    }
  }

  func values(_ entity: String, _ names: String...) throws -> [[FieldValue]] {
    let fresh = ModelContext(store)
    return try fresh.all(entity).map { object in try names.map { try object.value($0) } }
  }

  @Test func `counts and sums follow inserted, moved, changed and deleted objects`() throws {
    let north = try context.add("Folder", ["title": .string("north")])
    let south = try context.add("Folder", ["title": .string("south")])
    let first = try context.add("Photo", ["bytes": .integer(10)])
    let second = try context.add("Photo", ["bytes": .integer(5)])
    try first.setRelated("folder", north)
    try second.setRelated("folder", north)
    try context.save()
    #expect(
      try values("Folder", "count", "total") == [
        [.integer(2), .integer(15)], [.integer(0), .integer(0)],
      ])
    // In memory too.
    #expect(try north.value("count") == .integer(2))

    try second.setRelated("folder", south)
    try context.save()
    #expect(
      try values("Folder", "count", "total") == [
        [.integer(1), .integer(10)], [.integer(1), .integer(5)],
      ])
    #expect(
      try lastChanges() == [
        "update Photo 2 folder", "update Folder 1 count total", "update Folder 2 count total",
        "update Photo 2 folderTitle",
      ])

    try first.setValue("bytes", .integer(11))
    try context.save()
    #expect(try lastChanges() == ["update Photo 1 bytes", "update Folder 1 total"])
    #expect(try north.value("total") == .integer(11))

    // What adds up to the same is no change.
    try first.setValue("caption", .string("x"))
    try context.save()
    #expect(try lastChanges() == ["update Photo 1 caption", "update Photo 1 search"])

    try context.delete(second)
    try context.save()
    #expect(try lastChanges() == ["delete Photo 2", "update Folder 2 count total"])
    #expect(try south.value("count") == .integer(0))
  }

  @Test func `pairs are counted, whichever end makes or undoes them`() throws {
    let tag = try context.add("Tag", ["word": .string("sea")])
    let photo = try context.add("Photo", ["bytes": .integer(3)])
    let other = try context.add("Photo", ["bytes": .integer(9)])
    try tag.addRelated("photos", photo)
    try other.addRelated("tags", tag)
    try context.save()
    #expect(try values("Tag", "uses", "largest") == [[.integer(2), .integer(9)]])
    try other.removeRelated("tags", tag)
    try context.save()
    #expect(try values("Tag", "uses", "largest") == [[.integer(1), .integer(3)]])
    try photo.setValue("bytes", .integer(4))
    try context.save()
    #expect(try values("Tag", "uses", "largest") == [[.integer(1), .integer(4)]])
    try context.delete(photo)
    try context.save()
    #expect(try values("Tag", "uses", "largest") == [[.integer(0), .null]])
  }

  @Test func `a copy over a to-one follows the target, and functions fold texts`() throws {
    let folder = try context.add("Folder", ["title": .string("north")])
    let photo = try context.add("Photo", ["caption": .string("Café ÜBER")])
    try photo.setRelated("folder", folder)
    try context.save()
    #expect(
      try values("Photo", "folderTitle", "search") == [[.string("north"), .string("cafe uber")]])
    let other = ModelContext(store)
    let seen = try #require(try other.all("Photo").first)
    #expect(try seen.value("folderTitle") == .string("north"))
    try folder.setValue("title", .string("south"))
    try context.save()
    #expect(try lastChanges() == ["update Folder 1 title", "update Photo 1 folderTitle"])
    #expect(try photo.value("folderTitle") == .string("south"))
    other.receiveChanges()
    #expect(try seen.value("folderTitle") == .string("south"))
    try photo.setRelated("folder", nil)
    try context.save()
    #expect(try values("Photo", "folderTitle") == [[.null]])
  }

  @Test func `the time is that of the last save that wrote the object`() throws {
    let folder = try context.add("Folder", ["title": .string("a")])
    try context.save()
    #expect(try folder.value("written") == .date(Date(timeIntervalSinceReferenceDate: 1000)))
    clock.advance(5)
    let photo = try context.add("Photo", [:])
    try photo.setRelated("folder", folder)
    try context.save()
    #expect(try folder.value("written") == .date(Date(timeIntervalSinceReferenceDate: 1000)))
    try folder.setValue("title", .string("b"))
    try context.save()
    #expect(try folder.value("written") == .date(Date(timeIntervalSinceReferenceDate: 1005)))
  }

  @Test func `derived values do not make a conflict, and cannot be set`() throws {
    let folder = try context.add("Folder", ["title": .string("a")])
    try context.save()
    let other = ModelContext(store)
    let photo = try other.add("Photo", [:])
    try photo.setRelated("folder", try other.all("Folder").first)
    try other.save()
    try folder.setValue("title", .string("b"))
    try context.save()
    #expect(try values("Folder", "title", "count") == [[.string("b"), .integer(1)]])
    #expect(throws: StoreError.self) { try folder.setValue("count", .integer(3)) }
  }

  @Test func `statements of other writers count too, and a rollback takes all back`() throws {
    let folder = try context.add("Folder", [:])
    for _ in 0..<3 {
      try context.add("Photo", ["bytes": .integer(2)]).setRelated("folder", folder)
    }
    try context.save()
    try store.write { transaction in
      try transaction.connection.execute("UPDATE Photo SET bytes = bytes * 10")
    }
    #expect(try values("Folder", "count", "total") == [[.integer(3), .integer(60)]])
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.write { transaction in
        try transaction.connection.execute("DELETE FROM Photo")
        throw Stop()
      }
    }
    try store.write { try $0.connection.execute("DELETE FROM Photo WHERE _id = 1") }
    #expect(try values("Folder", "count", "total") == [[.integer(2), .integer(40)]])
  }

  @Test func `everything can be derived anew`() throws {
    try context.add("Photo", ["caption": .string("É")])
    try context.save()
    try store.maintain {
      try $0.execute("UPDATE Photo SET search = NULL")
      try $0.execute("DELETE FROM contrail_derived_due")
    }
    #expect(try values("Photo", "search") == [[.null]])
    try store.write { try $0.deriveAll() }
    #expect(try values("Photo", "search") == [[.string("e")]])
  }

  @Test func `derived values of an entity are those of its descendants, and decimals stay exact`()
    throws
  {
    let schema = Schema(
      name: "Shop",
      entities: [
        Schema.Entity(
          name: "Customer",
          attributes: [
            Schema.Attribute(
              name: "owes", type: .decimal, isOptional: true, derivation: "orders.@sum.price")
          ],
          relationships: [
            Schema.Relationship(
              name: "orders", destination: "Order", inverse: "customer", isToMany: true)
          ]),
        Schema.Entity(name: "Company", parent: "Customer"),
        Schema.Entity(
          name: "Order", attributes: [Schema.Attribute(name: "price", type: .decimal)],
          relationships: [
            Schema.Relationship(name: "customer", destination: "Customer", inverse: "orders")
          ]),
      ])
    let store = try Store(at: .memory, schema: schema)
    let context = ModelContext(store)
    let company = try context.insert("Company")
    for price in ["0.1", "0.2", "12345678901234567890.3"] {
      let order = try context.add("Order", ["price": .decimal(Decimal(string: price)!)])
      try order.setRelated("customer", company)
    }
    try context.save()
    #expect(try company.value("owes") == .decimal(Decimal(string: "12345678901234567890.6")!))
  }

  @Test
  func `an object that takes the place of one with the same unique value keeps what is derived`()
    throws
  {
    var schema = Album.schema
    let folder = try #require(schema.entities.firstIndex { $0.name == "Folder" })
    schema.entities[folder].uniquenessConstraints = [["title"]]
    let store = try Store(at: .memory, schema: schema)
    let context = ModelContext(store)
    let north = try context.add("Folder", ["title": .string("north")])
    try context.add("Photo", ["bytes": .integer(7)]).setRelated("folder", north)
    try context.save()
    let other = ModelContext(store)
    try other.add("Folder", ["title": .string("north")])
    try other.save()
    let fresh = ModelContext(store)
    let found = try fresh.all("Folder")
    #expect(found.count == 1)
    #expect(try found.first?.value("count") == .integer(1))
    #expect(try found.first?.value("total") == .integer(7))
  }

  @Test func `a schema without derived attributes has no triggers`() throws {
    let store = try Store(at: .memory, schema: Samples.schema)
    let count = try store.read { connection in
      let statement = try connection.prepare("SELECT count(*) FROM temp.sqlite_schema")
      return try statement.step() ? statement.integer(0) : -1
    }
    #expect(count == 0)
  }
}
