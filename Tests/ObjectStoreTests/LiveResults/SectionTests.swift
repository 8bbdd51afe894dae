import DataModel
import Foundation
import PredicateSQL
import Testing

@testable import ObjectStore

@Suite struct SectionTests {
  let context: ModelContext

  init() throws {
    let store = try Store(at: .memory, schema: Club.schema)
    context = ModelContext(store, isolation: nil)
    for (name, hours) in [("Ann", 2), ("Ben", 1), ("Cid", 2), ("Dan", 1), ("Eve", 3)] {
      try context.pilot(name, Int64(hours))
    }
    try context.save()
  }

  @Test func `sections are whole whatever the order: what makes them is sorted by first`() throws {
    let observer = try ResultsObserver(
      .pilots, sectionBy: SectionKey<ManagedObject, String>.property("hours"), context: context)
    #expect(observer.shownSections == ["1: Ben Dan", "2: Ann Cid", "3: Eve"])
    observer.sortBy = [QuerySort(.property("name"), isAscending: false)]
    #expect(observer.shownSections == ["1: Dan Ben", "2: Cid Ann", "3: Eve"])
    observer.sortBy.append(QuerySort(.property("hours"), isAscending: false))
    #expect(observer.shownSections == ["3: Eve", "2: Cid Ann", "1: Dan Ben"])
    #expect(observer.names == ["Eve", "Cid", "Ann", "Dan", "Ben"])
    #expect(observer.request.sort.count == 2)
    observer.sectionBy = .property("name")
    #expect(observer.shownSections?.count == 5)
    observer.sectionBy = nil
    #expect(observer.shownSections == nil)
    #expect(observer.names == ["Eve", "Dan", "Cid", "Ben", "Ann"])
  }

  @Test func `sections follow changes, saved and not`() throws {
    let observer = try ResultsObserver(
      .pilots, sectionBy: SectionKey<ManagedObject, FieldValue>.property("hours"), context: context)
    var lines: [String] = []
    observer.onUpdate = { lines.append($0.line) }
    let eve = try context.find("Pilot", "Eve")
    try eve.setValue("hours", .integer(1))
    #expect(observer.sections?.map(\.id) == [.integer(1), .integer(2)])
    #expect(observer.sections?.map(\.count) == [3, 2])
    let fay = try context.pilot("Fay", 0)
    #expect(observer.sections?.map(\.id) == [.integer(0), .integer(1), .integer(2)])
    let key = fay.key
    try context.save()
    #expect(observer.sections?.first?.first === fay)
    #expect(lines == ["1: >5@4-2 ~5@2 sections", "2: +\(key)@0 sections", "3: =6"])
  }

  @Test func `a title may be anything that can be told of an object`() throws {
    struct Level: Hashable {
      var isHigh: Bool
    }
    let observer = try ResultsObserver(
      .pilots,
      sectionBy: SectionKey<ManagedObject, Level>.computed {
        Level(isHigh: (try? $0.value("hours")).map { $0 != .integer(1) } ?? false)
      }, context: context)
    #expect(observer.sections?.map(\.title.isHigh) == [true, false])
    #expect(observer.sections?.map { $0.map(\.name) } == [["Ann", "Cid", "Eve"], ["Ben", "Dan"]])
    #expect(observer.names == ["Ann", "Cid", "Eve", "Ben", "Dan"])
    try observer.results[0].setValue("hours", .integer(1))
    #expect(observer.sections?.map { $0.map(\.name) } == [["Ann", "Ben", "Dan"], ["Cid", "Eve"]])
  }

  @Test func `objects without a value have a section, with no title where titles are optional`()
    throws
  {
    try context.insert("Pilot")
    let observer = try ResultsObserver(
      .pilots, sectionBy: SectionKey<ManagedObject, String?>.property("name"), context: context)
    #expect(observer.sections?.map(\.title) == [nil, "Ann", "Ben", "Cid", "Dan", "Eve"])
    let text = try ResultsObserver(
      .pilots, sectionBy: SectionKey<ManagedObject, String>.property("name"), context: context)
    #expect(text.sections?.map(\.title) == ["", "Ann", "Ben", "Cid", "Dan", "Eve"])
  }

  @Test func `sections may be made by what a relationship leads to`() throws {
    for (flight, pilot) in [("F1", "Cid"), ("F2", "Ann"), ("F3", "Cid")] {
      try context.make("Flight", flight).setRelated("pilot", try context.find("Pilot", pilot))
    }
    let request = FetchRequest("Flight", sort: [QuerySort(.property("name"))])
    let observer = try ResultsObserver(
      request, sectionBy: SectionKey<ManagedObject, String>.property("pilot.name"), context: context
    )
    #expect(observer.shownSections == ["Ann: F2", "Cid: F1 F3"])
    try context.save()
    try context.find("Pilot", "Ann").setValue("name", .string("Zoe"))
    #expect(observer.shownSections == ["Cid: F1 F3", "Zoe: F2"])
  }

  @Test func `sections of nothing are none, and come with the first object`() throws {
    let observer = try ResultsObserver(
      FetchRequest("Tag"), sectionBy: SectionKey<ManagedObject, String>.property("name"),
      context: context)
    #expect(observer.shownSections == [])
    try context.make("Tag", "red")
    #expect(observer.shownSections == ["red: red"])
    observer.sectionBy = nil
    #expect(observer.shownSections == nil)
  }

  @Test func `a limit cuts before sections are made, with changes too`() throws {
    var request = FetchRequest.pilots
    request.limit = 3
    request.offset = 1
    let observer = try ResultsObserver(
      request, sectionBy: SectionKey<ManagedObject, String>.property("hours"), context: context)
    #expect(observer.shownSections == ["1: Dan", "2: Ann Cid"])
    try context.pilot("Abe", 1)
    #expect(observer.shownSections == ["1: Ben Dan", "2: Ann"])
    try context.save()
    #expect(observer.shownSections == ["1: Ben Dan", "2: Ann"])
  }
}
