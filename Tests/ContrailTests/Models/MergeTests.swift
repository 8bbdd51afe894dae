import Contrail
import Testing

@Suite struct MergeTests {
  /// A store with one trip, which two contexts have read.
  private func edited(
    _ policy: ModelContext.MergePolicy? = nil
  ) throws -> (here: ModelContext, there: ModelContext, mine: Trip, theirs: Trip) {
    let container = try memory(Trip.self)
    let (here, there) = (ModelContext(container), ModelContext(container))
    if let policy { here.mergePolicy = policy }
    let mine = Trip(name: "Rome", destination: "Italy")
    here.insert(mine)
    try here.save()
    let theirs = try #require(try there.fetch(FetchDescriptor<Trip>()).first)
    return (here, there, mine, theirs)
  }

  private func shown(_ context: ModelContext) throws -> [String] {
    try ModelContext(context.container).fetch(FetchDescriptor<Trip>()).map {
      "\($0.name) \($0.destination) \($0.rating ?? 0)"
    }
  }

  @Test func `Changes of different properties are both saved`() throws {
    let (here, there, mine, theirs) = try edited()
    mine.name = "Roma"
    theirs.destination = "Lazio"
    try there.save()
    try here.save()
    #expect(try shown(here) == ["Roma Lazio 0"])
    #expect(mine.destination == "Lazio")
    mine.rating = 5
    try here.save()
    #expect(try shown(here) == ["Roma Lazio 5"])
    #expect(theirs.name == "Rome")
    there.processPendingChanges()
    #expect(theirs.name == "Roma")
  }

  @Test func `Of two changes of one property the one that is saved last stays`() throws {
    let (here, there, mine, theirs) = try edited()
    mine.destination = "Lazio"
    theirs.destination = "Europe"
    theirs.rating = 3
    try there.save()
    try here.save()
    #expect(try shown(here) == ["Rome Lazio 3"])
    #expect(!here.hasChanges)
  }

  @Test func `What was to be deleted is deleted, though others have changed it`() throws {
    let (here, there, mine, theirs) = try edited()
    here.delete(mine)
    theirs.rating = 3
    try there.save()
    try here.save()
    #expect(try shown(here) == [])
  }

  @Test func `A context may refuse to save over what others have changed`() throws {
    let (here, there, mine, theirs) = try edited(.error)
    mine.name = "Roma"
    theirs.destination = "Lazio"
    try there.save()
    let error = #expect(throws: StoreError.self) { try here.save() }
    #expect(error?.code == .conflict)
    #expect(try shown(here) == ["Rome Lazio 0"])
    here.mergePolicy = .rollback
    try here.save()
    #expect(try shown(here) == ["Rome Lazio 0"])
    #expect(mine.name == "Rome")
  }

  @MainActor
  @Test func `The main context saves by itself over what a background task has changed`()
    async throws
  {
    let container = try memory(Trip.self)
    let context = container.mainContext
    let trip = Trip(name: "Rome")
    context.insert(trip)
    try context.save()
    context.autosaveEnabled = false
    trip.name = "Roma"
    try await container.performBackgroundTask { other in
      try other.fetch(FetchDescriptor<Trip>()).first?.destination = "Italy"
      try other.save()
    }
    context.autosaveEnabled = true
    for _ in 0..<400 where context.hasChanges { try await Task.sleep(for: .milliseconds(5)) }
    #expect(context.problems.isEmpty)
    #expect(try shown(context) == ["Roma Italy 0"])
  }

  @MainActor
  @Test func `Deleting by predicate is saved by itself, too`() async throws {
    let container = try memory(Trip.self)
    let context = container.mainContext
    for name in ["Rome", "Oslo"] { context.insert(Trip(name: name)) }
    try context.save()
    try context.delete(model: Trip.self, where: #Predicate { $0.name == "Rome" })
    for _ in 0..<400 where context.hasChanges { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try shown(context) == ["Oslo  0"])
  }

  @Test func `Relating what is deleted keeps the context from being saved, and says why`() throws {
    let context = ModelContext(try memory(Trip.self))
    let (trip, gone) = (Trip(name: "Rome"), Trip(name: "Oslo"))
    context.insert(trip)
    context.insert(gone)
    let item = BucketListItem(title: "Forum", trip: trip)
    try context.save()
    context.delete(gone)
    item.trip = gone
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .deletedObject)
    #expect(error?.subject == "BucketListItem.trip")
    #expect(item.trip === trip)
    try context.save()
    #expect(try shown(context) == ["Rome  0"])
  }
}
