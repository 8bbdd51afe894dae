import DataModel
import Foundation
import Observation
import PredicateSQL
import Synchronization
import Testing

@testable import ObjectStore

@Suite struct ResultsObserverTests {
  let folder: TestFolder
  let store: Store

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
  }

  /// A context with Ann (5 hours), Ben (3) and Cid (9), saved.
  private func context() throws -> ModelContext {
    let context = ModelContext(store, isolation: nil)
    try context.pilot("Ann", 5)
    try context.pilot("Ben", 3)
    try context.pilot("Cid", 9)
    try context.save()
    return context
  }

  @Test func `results follow inserts, updates and deletions before they are saved`() throws {
    let context = try context()
    let observer = try ResultsObserver(.pilots, context: context)
    var lines: [String] = []
    observer.onUpdate = { lines.append($0.line) }
    #expect(observer.names == ["Ann", "Ben", "Cid"])
    let bob = try context.pilot("Bob", 1)
    #expect(observer.names == ["Ann", "Ben", "Bob", "Cid"])
    try observer.results[0].setValue("name", .string("Zoe"))
    #expect(observer.names == ["Ben", "Bob", "Cid", "Zoe"])
    try context.delete(observer.results[0])
    #expect(observer.names == ["Bob", "Cid", "Zoe"])
    let temporary = bob.key
    try context.save()
    #expect(observer.names == ["Bob", "Cid", "Zoe"])
    #expect(
      lines == [
        "1: +\(temporary)@2", "2: >1@0-3 ~1@3", "3: -2@0", "4: =4",
      ])
    context.rollback()
    #expect(observer.names == ["Bob", "Cid", "Zoe"])
    #expect(lines.count == 4)
  }

  @Test func `a rollback takes back what results showed`() throws {
    let context = try context()
    let observer = try ResultsObserver(.pilots, context: context)
    try context.delete(observer.results[1])
    try observer.results[0].setValue("name", .string("Zoe"))
    try context.pilot("Dan", 0)
    #expect(observer.names == ["Cid", "Dan", "Zoe"])
    context.rollback()
    #expect(observer.names == ["Ann", "Ben", "Cid"])
  }

  @Test func `changes that are not saved do not count where the request says so`() throws {
    let context = try context()
    var request = FetchRequest.pilots
    request.includesPendingChanges = false
    let observer = try ResultsObserver(request, context: context)
    try context.pilot("Bob", 1)
    #expect(observer.names == ["Ann", "Ben", "Cid"])
    try context.save()
    #expect(observer.names == ["Ann", "Ben", "Bob", "Cid"])
  }

  @Test func `what other contexts save is published, and nothing when nothing changed`() throws {
    let context = try context()
    let observer = try ResultsObserver(
      FetchRequest("Pilot", where: .hours(.greater, 4), sort: [QuerySort(.property("name"))]),
      context: context)
    var lines: [String] = []
    observer.onUpdate = { lines.append($0.line) }
    #expect(observer.names == ["Ann", "Cid"])
    let other = ModelContext(store, isolation: nil)
    try other.make("Tag", "red")
    try other.pilot("Eve", 1)
    try other.save()
    #expect(observer.names == ["Ann", "Cid"])
    try other.find("Pilot", "Ben").setValue("hours", .integer(20))
    try other.find("Pilot", "Ann").setValue("hours", .integer(6))
    try other.save()
    context.receiveChanges()
    #expect(observer.names == ["Ann", "Ben", "Cid"])
    #expect(try observer.results[0].value("hours") == .integer(6))
    try other.find("Pilot", "Ann").setValue("hours", .integer(1))
    try other.save()
    #expect(observer.names == ["Ben", "Cid"])
    try other.delete(try other.find("Pilot", "Eve"))
    try other.save()
    #expect(observer.names == ["Ben", "Cid"])
    #expect(lines == ["1: +2@1 ~1@0", "2: -1@0"])
  }

  @Test func `a transaction of other entities is not looked at`() throws {
    let context = try context()
    let observer = try ResultsObserver(.pilots, context: context)
    let other = ModelContext(store, isolation: nil)
    try other.make("Tag", "red")
    try other.save()
    context.receiveChanges()
    let fetches = observer.lookCount
    #expect(observer.names.count == 3)
    try other.pilot("Dan", 1)
    try other.save()
    #expect(observer.names.count == 4)
    #expect(fetches == 1)
    #expect(observer.lookCount == 2)
  }

  @Test func `results that ask for related objects follow these`() throws {
    let context = try context()
    let ann = try context.find("Pilot", "Ann")
    let flight = try context.make("Flight", "F1")
    try flight.setRelated("pilot", ann)
    try context.save()
    let observer = try ResultsObserver(
      FetchRequest(
        "Flight",
        where: .compare(.equal, .property("pilot.name"), .literal(.string("Ann")))),
      context: context)
    let sorted = try ResultsObserver(
      FetchRequest("Flight", sort: [QuerySort(.property("pilot.name"))]), context: context)
    try context.make("Flight", "F2").setRelated("pilot", try context.find("Pilot", "Ben"))
    #expect(observer.names == ["F1"])
    #expect(sorted.names == ["F1", "F2"])
    try ann.setValue("name", .string("Zoe"))
    #expect(observer.names == [])
    #expect(sorted.names == ["F2", "F1"])
    context.rollback()
    let other = ModelContext(store, isolation: nil)
    try other.find("Pilot", "Ann").setValue("name", .string("Yve"))
    try other.save()
    #expect(observer.names == [])
  }

  @Test func `filter and order can be changed while results live`() throws {
    let context = try context()
    let observer = try ResultsObserver(.pilots, context: context)
    observer.filterBy = .hours(.greater, 4)
    #expect(observer.names == ["Ann", "Cid"])
    observer.sortBy = [QuerySort(.property("hours"), isAscending: false)]
    #expect(observer.names == ["Cid", "Ann"])
    observer.filterBy = nil
    #expect(observer.names == ["Cid", "Ann", "Ben"])
    var configuration = observer.configuration
    configuration.sort = [QuerySort(.property("hours"))]
    configuration.filter = .hours(.less, 9)
    observer.configuration = configuration
    #expect(observer.names == ["Ben", "Ann"])
    observer.filterBy = .text(
      .contains, .property("name"), .literal(.string("É")), .standard)
    #expect(observer.names == ["Ben"])
  }

  @Test func `changing several parts at once fetches once and publishes once`() throws {
    let context = try context()
    let observer = try ResultsObserver(
      .pilots, sectionBy: SectionKey<ManagedObject, String>.property("name"), context: context)
    var lines: [String] = []
    observer.onUpdate = { lines.append($0.line) }
    observer.update {
      $0.filter = .hours(.greater, 3)
      $0.sort = [QuerySort(.property("hours"), isAscending: false)]
      $0.sectionBy = .property("hours")
    }
    #expect(observer.lookCount == 2)
    #expect(lines == ["1: -2@1 >3@2-0 sections"])
    // Set one by one, they are fetched when they are read.
    observer.filterBy = nil
    observer.sortBy = []
    observer.sectionBy = nil
    #expect(observer.lookCount == 2)
    #expect(observer.names == ["Ann", "Ben", "Cid"])
    #expect(observer.shownSections == nil)
    #expect(observer.lookCount == 3)
    #expect(lines.count == 2)
  }

  @Test func `a context may come to be after its observer`() throws {
    var context: ModelContext?
    struct NotYet: Error {}
    let observer = ResultsObserver(
      .pilots,
      late: {
        guard let context else { throw NotYet() }
        return context
      })
    #expect(observer.names == [])
    #expect(observer.fetchError?.code == .blockFailed)
    context = try self.context()
    #expect(observer.names == ["Ann", "Ben", "Cid"])
    #expect(observer.fetchError == nil)
  }

  @Test func `after an error the last good results stay`() throws {
    let context = try context()
    let observer = try ResultsObserver(.pilots, context: context)
    var lines: [String] = []
    observer.onUpdate = { lines.append($0.line) }
    observer.filterBy = .compare(.equal, .property("wings"), .literal(.integer(2)))
    #expect(observer.names == ["Ann", "Ben", "Cid"])
    #expect(observer.fetchError?.code == .unknownProperty)
    try observer.results[0].setValue("hours", .integer(7))
    #expect(observer.names == ["Ann", "Ben", "Cid"])
    observer.filterBy = .hours(.equal, 7)
    #expect(observer.names == ["Ann"])
    #expect(observer.fetchError == nil)
    #expect(lines == ["1: unknownProperty", "2: -2@1 -3@2 ~1@0"])
    #expect(throws: StoreError.self) {
      try ResultsObserver(FetchRequest("Glider"), context: context)
    }
  }

  @Test func `whoever observes results is told once they change`() throws {
    let context = try context()
    let observer = try ResultsObserver(.pilots, context: context)
    let notes = Notes()
    func observe() {
      withObservationTracking {
        _ = observer.results.count
      } onChange: {
        notes.add("changed")
      }
    }
    observe()
    let other = ModelContext(store, isolation: nil)
    try other.make("Tag", "red")
    try other.save()
    context.receiveChanges()
    #expect(notes.all == [])
    try other.pilot("Dan", 1)
    try other.save()
    context.receiveChanges()
    #expect(notes.all == ["changed"])
  }

  @MainActor
  @Test func `on an actor results follow by themselves, and tell it as a sequence`() async throws {
    let container = StoreContainer(store)
    let observer = try ResultsObserver(.pilots, container: container)
    #expect(observer.modelContext === container.mainContext)
    var updates = observer.updates().makeAsyncIterator()
    try await container.performBackgroundTask { context in
      try context.pilot("Ann", 1)
      try context.save()
    }
    #expect(await updates.next()?.line == "1: +1@0")
    container.mainContext.autosaveEnabled = false
    let bob = try container.mainContext.pilot("Bob", 2)
    #expect(await updates.next()?.line == "2: +\(bob.key)@1")
    observer.filterBy = .hours(.greater, 1)
    #expect(await updates.next()?.line == "3: -1@0")
    #expect(observer.names == ["Bob"])
  }

  @Test func `an observer that nobody keeps goes, and its streams end`() async throws {
    let context = try context()
    var observer: ResultsObserver<ManagedObject, Never>? = try ResultsObserver(
      .pilots, context: context)
    weak let weakly = observer
    var updates = observer?.updates().makeAsyncIterator()
    observer = nil
    #expect(weakly == nil)
    #expect(await updates?.next() == nil)
    try context.pilot("Dan", 1)
    try context.save()
  }
}
