import Contrail
import Foundation
import Observation
import Testing

@Suite("A save in a store that somebody else wrote")
struct ForeignSaveTests {
  let shelf = Shelf()

  private func container() throws -> ModelContainer {
    try ModelContainer(
      for: Trip.self, configurations: ShelfConfiguration(name: "shelf", shelf: shelf))
  }

  /// What the store has, as somebody sees who begins anew.
  private func stored() throws -> [[String]] {
    try ModelContext(container()).fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
      .map { [$0.name, $0.destination] }
  }

  /// Two contexts of one container, and the model that both have changed; the second has saved it.
  private func overtaken(
    _ policy: ModelContext.MergePolicy
  ) throws -> (context: ModelContext, trip: Trip) {
    let container = try container()
    let (ann, ben) = (ModelContext(container), ModelContext(container))
    ann.mergePolicy = policy
    ann.insert(Trip(name: "Rome", destination: "?"))
    try ann.save()
    let ours = try #require(try ann.fetch(FetchDescriptor<Trip>()).first)
    let theirs = try #require(try ben.fetch(FetchDescriptor<Trip>()).first)
    (ours.name, ours.destination) = ("Roma", "Latium")
    theirs.destination = "Italy"
    try ben.save()
    shelf.forgetNotes()
    return (ann, ours)
  }

  @Test func `what is refused for a value that is taken is not told, and stored once when mended`()
    throws
  {
    let context = ModelContext(try container())
    context.uniquePolicy = .strict
    context.insert(Trip(name: "Rome", destination: "Italy"))
    try context.save()
    let second = Trip(name: "Rome", destination: "Georgia")
    context.insert(second)
    shelf.forgetNotes()
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .notUnique)
    #expect(shelf.takeNotes() == [])
    second.name = "Rome, GA"
    try context.save()
    #expect(try stored() == [["Rome", "Italy"], ["Rome, GA", "Georgia"]])
  }

  @Test func `changes that give way to what others have saved are not told`() throws {
    let (context, trip) = try overtaken(.rollback)
    try context.save()
    #expect(shelf.takeNotes() == [])
    #expect([trip.name, trip.destination] == ["Rome", "Italy"])
    #expect(try stored() == [["Rome", "Italy"]])
  }

  @Test func `a deletion that gives way to what others have saved is not told`() throws {
    let (context, trip) = try overtaken(.rollback)
    context.delete(trip)
    try context.save()
    #expect(shelf.takeNotes() == [])
    #expect(try stored() == [["Rome", "Italy"]])
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
  }

  @Test func `property by property, what others have saved stands`() throws {
    let (context, trip) = try overtaken(.mergeByPropertyStoreTrump)
    try context.save()
    #expect(shelf.takeNotes() == ["save 0 new, 1 changed, 0 deleted"])
    #expect([trip.name, trip.destination] == ["Roma", "Italy"])
    #expect(try stored() == [["Roma", "Italy"]])
  }

  @Test func `property by property, what is changed here stands`() throws {
    let (context, trip) = try overtaken(.mergeByPropertyObjectTrump)
    try context.save()
    #expect(shelf.takeNotes() == ["save 0 new, 1 changed, 0 deleted"])
    #expect([trip.name, trip.destination] == ["Roma", "Latium"])
    #expect(try stored() == [["Roma", "Latium"]])
  }

  @Test func `a value that is set to what it was undoes nothing that others have saved`() throws {
    let container = try container()
    let (ann, ben) = (ModelContext(container), ModelContext(container))
    for name in ["Rome", "Oslo"] { ann.insert(Trip(name: name, destination: "?")) }
    try ann.save()
    let byName = [SortDescriptor(\Trip.name)]
    let ours = try ann.fetch(FetchDescriptor<Trip>(sortBy: byName))
    let theirs = try ben.fetch(FetchDescriptor<Trip>(sortBy: byName))
    for trip in ours { trip.name = String(trip.name) }
    theirs[1].name = "Roma"
    ben.delete(theirs[0])
    try ben.save()
    shelf.forgetNotes()
    try ann.save()
    #expect(shelf.takeNotes() == [])
    #expect(try stored() == [["Roma", "?"]])
  }

  @Test func `what others have deleted already is not deleted again`() throws {
    let (context, trip) = try overtaken(.mergeByPropertyObjectTrump)
    let other = ModelContext(context.container)
    for found in try other.fetch(FetchDescriptor<Trip>()) { other.delete(found) }
    context.delete(trip)
    try other.save()
    shelf.forgetNotes()
    try context.save()
    #expect(shelf.takeNotes() == [])
    #expect(try stored() == [])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a save that is refused within another leaves the store to others`() async throws {
    let container = try container()
    // All on this test's one thread, whatever the types of handlers say.
    nonisolated(unsafe) let (ann, ben) = (ModelContext(container), ModelContext(container))
    ann.mergePolicy = .error
    for name in ["Oslo", "Rome"] { ann.insert(Trip(name: name, destination: "?")) }
    try ann.save()
    let byName = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
    let (ours, theirs) = (try ann.fetch(byName), try ben.fetch(byName))
    ours[1].destination = "Latium"
    for trip in theirs { trip.destination = "Europe" }
    // The first save of Ann's finds what Ben saves as it begins, and Oslo's observer saves again.
    let begins = NotificationCenter.default.addObserver(
      forName: ModelContext.willSave, object: ann, queue: nil
    ) { _ in try? ben.save() }
    defer { NotificationCenter.default.removeObserver(begins) }
    nonisolated(unsafe) var nested: (any Error)?
    withObservationTracking {
      _ = ours[0].destination
    } onChange: {
      do { try ann.save() } catch { nested = error }
    }
    let error = #expect(throws: StoreError.self) { try ann.save() }
    #expect([(nested as? StoreError)?.code, error?.code] == [.conflict, .conflict])
    let count = try await Task.detached {
      try ModelContext(container).fetchCount(FetchDescriptor<Trip>())
    }.value
    #expect(count == 2)
  }
}
