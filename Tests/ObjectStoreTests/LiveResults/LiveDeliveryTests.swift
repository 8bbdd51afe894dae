import ChildPrograms
import DataModel
import Foundation
import PredicateSQL
import Testing

@testable import ObjectStore

@Suite struct LiveDeliveryTests {
  let folder: TestFolder
  let store: Store

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
  }

  /// Moves hours from pilot to pilot; all pilots together always have 100 of them.
  private static func move(_ context: ModelContext, _ count: Int) throws {
    for turn in 0..<count {
      let pilots = try context.fetch(FetchRequest("Pilot"))
      let (from, to) = (pilots[turn % pilots.count], pilots[(turn + 3) % pilots.count])
      try from.setValue("hours", .integer(try hours(from) - 1))
      try to.setValue("hours", .integer(try hours(to) + 1))
      if turn % 5 == 4 {
        // One goes, and its hours with a new one.
        let gone = pilots[(turn + 1) % pilots.count]
        try context.pilot("N\(turn)", try hours(gone))
        try context.delete(gone)
      }
      try context.save()
    }
  }

  private static func hours(_ pilot: ManagedObject) throws -> Int64 {
    guard case .integer(let hours) = try pilot.value("hours") else { return 0 }
    return hours
  }

  private func fill() throws {
    let context = ModelContext(store, isolation: nil)
    for number in 0..<10 { try context.pilot("P\(number)", 10) }
    try context.save()
  }

  @MainActor
  @Test(.timeLimit(.minutes(5)))
  func `while a background context saves, results are always of one committed state`() async throws
  {
    try fill()
    let container = StoreContainer(store)
    let byHours = FetchRequest("Pilot", sort: [QuerySort(.property("hours"))])
    let observer = try ResultsObserver(byHours, container: container)
    var torn: [String] = []
    var seen = 0
    func look() throws {
      let hours = try observer.results.map { try Self.hours($0) }
      seen += 1
      if hours.reduce(0, +) != 100 || hours != hours.sorted() || hours.count != 10 {
        torn.append("\(hours)")
      }
    }
    observer.onUpdate = { _ in
      do { try look() } catch { torn.append("\(error)") }
    }
    let background = container.backgroundContext()
    let work = Task { try await background.perform { try Self.move($0, 300) } }
    // The main actor is busy for a while, looks, and lets others have their turn.
    for _ in 0..<40 {
      usleep(3000)
      try look()
      await Task.yield()
    }
    try await work.value
    let plain = ModelContext(store)
    try await eventually {
      try observer.identities == plain.fetch(byHours).map(\.queryIdentity)
    }
    try look()
    #expect(torn == [])
    #expect(seen > 40)
  }

  @Test(.timeLimit(.minutes(5)))
  func `an observer whose isolation looks before it is told sees the same`() async throws {
    try fill()
    // Nobody can be sent to a context without isolation: it finds out when results are read.
    let context = ModelContext(store, isolation: nil)
    let observer = try ResultsObserver(
      FetchRequest("Pilot", sort: [QuerySort(.property("hours"))]), context: context)
    var updates = 0
    observer.onUpdate = { _ in updates += 1 }
    try await BackgroundContext(store).perform { try Self.move($0, 10) }
    #expect(updates == 0)
    let hours = try observer.results.map { try Self.hours($0) }
    #expect(hours.reduce(0, +) == 100)
    #expect(hours == hours.sorted())
    #expect(updates == 1)
  }

  @MainActor
  @Test(.timeLimit(.minutes(5)))
  func `own changes that are not saved stay in results while others save`() async throws {
    try fill()
    let container = StoreContainer(store)
    let main = container.mainContext
    main.autosaveEnabled = false
    let observer = try ResultsObserver(
      FetchRequest("Pilot", sort: [QuerySort(.property("name"))]), container: container)
    try main.pilot("A", 0)
    let first = observer.results[1]
    try first.setValue("name", .string("Z"))
    try await container.performBackgroundTask { context in
      try context.find("Pilot", "P5").setValue("name", .string("B"))
      try context.delete(try context.find("Pilot", "P9"))
      try context.save()
    }
    try await eventually { observer.results.count == 10 }
    #expect(observer.names == ["A", "B", "P1", "P2", "P3", "P4", "P6", "P7", "P8", "Z"])
  }

  @Test func `a lookout within a read transaction is made up for after it`() throws {
    try fill()
    let context = ModelContext(store, isolation: nil)
    let observer = try ResultsObserver(.pilots, context: context)
    let other = ModelContext(store, isolation: nil)
    try context.reading {
      _ = try context.fetchCount(FetchRequest("Tag"))
      try other.pilot("A", 0)
      try other.save()
      #expect(observer.results.count == 10)
      observer.filterBy = .hours(.greater, 3)
      #expect(observer.results.count == 10)
      observer.filterBy = nil
    }
    #expect(observer.results.count == 11)
  }

  @Test func `one change in a long list reads keys, not objects`() throws {
    let context = ModelContext(store, isolation: nil)
    try store.write { transaction in
      let layout = try #require(store.layout.entity("Pilot"))
      for _ in 0..<20_000 {
        let object = ManagedObject(new: layout)
        let key = try transaction.newKey(layout)
        if let row = object.row { try transaction.insert(layout, key: key, row: row) }
      }
    }
    let observer = try ResultsObserver(
      FetchRequest("Pilot", sort: [QuerySort(.property("hours"))]), context: context)
    #expect(observer.results.count == 20_000)
    let layout = try #require(store.layout.entity("Pilot"))
    func loaded() -> Int { context.identities[layout.root].all.count { !$0.isFault } }
    #expect(loaded() == 0)
    let other = ModelContext(store, isolation: nil)
    let end = try #require(observer.results.identity(at: 19_999))
    let last = try #require(other.object(end))
    try last.setValue("hours", .integer(-1))
    try other.save()
    #expect(observer.results.identity(at: 0)?.key == last.key)
    #expect(loaded() == 0)
    try context.pilot("new", -5)
    #expect(observer.results[0].name == "new")
    #expect(loaded() < 60)
  }

  @Test(.timeLimit(.minutes(5)))
  func `what another process saves is in the results by itself`() async throws {
    let folder = try HistoryFolder()
    let path = folder.path("fleet.sqlite")
    let observing = Observing(try HistorySamples.store(at: .file(path)))
    try await observing.start()
    let child = try ChildProgram([
      ChildProgram.beside("StoreChild"), "once", path, "Owner", "name", "child", "500",
    ])
    #expect(await observing.next() == 500)
    child.wait()
  }

  actor Observing {
    private let store: Store
    private var observer: ResultsObserver<ManagedObject, Never>?
    private var stream: AsyncStream<ResultsUpdate>?

    init(_ store: Store) { self.store = store }

    func start() throws {
      let observer = try ResultsObserver(
        FetchRequest("Owner"), container: StoreContainer(store))
      stream = observer.updates()
      self.observer = observer
    }

    func next() async -> Int {
      guard let stream else { return 0 }
      for await update in stream { return update.difference.inserted.count }
      return 0
    }
  }
}
