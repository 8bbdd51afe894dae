import DataModel
import PredicateSQL
import Foundation
import Testing

@testable import ObjectStore

/// A small flight log: one entity of values, one-to-many, many-to-many and one-to-one.
enum Samples {
  static let schema = Schema(
    name: "FlightLog",
    entities: [
      Schema.Entity(
        name: "Entry",
        attributes: [
          Schema.Attribute(name: "tail", type: .string, defaultValue: .string("")),
          Schema.Attribute(name: "hours", type: .double, isOptional: true),
          Schema.Attribute(name: "count", type: .integer64, defaultValue: .integer(0)),
          Schema.Attribute(name: "when", type: .date, isOptional: true),
          Schema.Attribute(name: "id", type: .uuid, isOptional: true),
          Schema.Attribute(name: "cost", type: .decimal, isOptional: true),
          Schema.Attribute(name: "photo", type: .binaryData, isOptional: true),
        ],
        relationships: [
          Schema.Relationship(name: "pilot", destination: "Pilot", inverse: "entries"),
          Schema.Relationship(
            name: "tags", destination: "Tag", inverse: "entries", isToMany: true),
        ]),
      Schema.Entity(
        name: "Pilot",
        attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(
            name: "entries", destination: "Entry", inverse: "pilot", isToMany: true,
            deleteRule: .cascade),
          Schema.Relationship(name: "licence", destination: "Licence", inverse: "pilot"),
        ]),
      Schema.Entity(
        name: "Licence",
        attributes: [Schema.Attribute(name: "number", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(name: "pilot", destination: "Pilot", inverse: "licence")
        ]),
      Schema.Entity(
        name: "Tag",
        attributes: [Schema.Attribute(name: "word", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(
            name: "entries", destination: "Entry", inverse: "tags", isToMany: true)
        ]),
    ])
}

@Suite struct ContextTests {
  @Test func `what is saved in one context is fetched in another`() throws {
    let store = try Store(at: .memory, schema: Samples.schema)
    let context = ModelContext(store)
    let entry = try context.insert("Entry")
    try entry.setValue("tail", .string("N628TS"))
    try entry.setValue("hours", .double(1.5))
    try entry.setValue("cost", .decimal(Decimal(string: "12.345678901234567890")!))
    let pilot = try context.insert("Pilot")
    try pilot.setValue("name", .string("Ann"))
    try entry.setRelated("pilot", pilot)
    let tag = try context.insert("Tag")
    try tag.setValue("word", .string("night"))
    try tag.addRelated("entries", entry)
    let licence = try context.insert("Licence")
    try pilot.setRelated("licence", licence)
    try context.save()
    #expect(!context.hasChanges)

    let other = ModelContext(store)
    let found = try other.fetchStored(
      StoredQuery(layout: #require(store.layout.entity("Entry"))))
    #expect(found.count == 1)
    let entry2 = try #require(found.first)
    #expect(try entry2.value("tail") == .string("N628TS"))
    #expect(try entry2.value("hours") == .double(1.5))
    #expect(try entry2.value("cost") == .decimal(Decimal(string: "12.345678901234567890")!))
    #expect(try entry2.value("photo") == .null)
    let pilot2 = try #require(try entry2.related("pilot"))
    #expect(try pilot2.value("name") == .string("Ann"))
    #expect(try pilot2.relatedObjects("entries").map(\.identity) == [entry2.identity])
    #expect(try entry2.relatedObjects("tags").map { try $0.value("word") } == [.string("night")])
    #expect(try pilot2.related("licence")?.related("pilot") === pilot2)
    try other.delete(pilot2)
    #expect(entry2.isDeleted)
    try other.save()
    #expect(entry.isDeleted == false)
    context.receiveChanges()
    #expect(entry.isDeleted)
  }
}

@Suite struct PlanTests {
  @Test func `a comparison is asked in SQL that an index serves`() throws {
    let store = try Store(at: .memory, schema: Samples.schema)
    let filter = QueryExpression.compare(
      .equal, .property("tail"), .literal(.string("N1")))
    let plan = try FetchPlan(
      FetchRequest("Entry", where: filter), store.layout, store.currentSQLModel())
    let tail = plan.query.tail(store.layout)
    #expect(plan.isWhole)
    #expect(tail.sql.hasPrefix(" FROM \"Entry\" AS t0 WHERE "))
    #expect(tail.values == [.string("N1")])
  }
}
