import Contrail
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
}
