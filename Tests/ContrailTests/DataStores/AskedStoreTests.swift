import Contrail
import Testing

@Suite("A store that somebody else wrote is asked")
struct AskedStoreTests {
  private func container(_ shelf: Shelf) throws -> ModelContainer {
    try ModelContainer(
      for: Trip.self, configurations: ShelfConfiguration(name: "shelf", shelf: shelf))
  }

  private func fill(_ shelf: Shelf, _ names: [String]) throws {
    let context = ModelContext(try container(shelf))
    for name in names { context.insert(Trip(name: name)) }
    try context.save()
    shelf.forgetNotes()
  }

  private let sorted = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
  private let withR = FetchDescriptor<Trip>(predicate: #Predicate { $0.name.starts(with: "R") })

  @Test func `a container asks nothing before somebody fetches, and then for what is fetched`()
    throws
  {
    let shelf = Shelf()
    try fill(shelf, ["Rome", "Oslo"])
    let container = try container(shelf)
    #expect(shelf.takeNotes() == [])
    var descriptor = sorted
    descriptor.fetchLimit = 2
    #expect(try ModelContext(container).fetch(descriptor).map(\.name) == ["Oslo", "Rome"])
    #expect(shelf.takeNotes() == ["fetch Trip sorted first 2"])
  }

  @Test func `what others put into the store, change and take away shows with the next fetch`()
    throws
  {
    let shelf = Shelf()
    try fill(shelf, ["Rome", "Oslo", "Riga"])
    let context = ModelContext(try container(shelf))
    let first = try context.fetch(sorted)
    #expect(first.map(\.name) == ["Oslo", "Riga", "Rome"])
    let other = ModelContext(try container(shelf))
    let theirs = try other.fetch(sorted)
    theirs[0].name = "Bergen"
    other.delete(theirs[1])
    other.insert(Trip(name: "Turin"))
    try other.save()
    #expect(first.map(\.name) == ["Oslo", "Riga", "Rome"])
    let second = try context.fetch(sorted)
    #expect(second.map(\.name) == ["Bergen", "Rome", "Turin"])
    #expect(second[0] === first[0])
    #expect(first[1].isDeleted)
  }

  @Test(arguments: [DataStoreError.preferInMemoryFilter, .preferInMemorySort])
  func `what a store leaves to memory is done there`(leaves: DataStoreError) throws {
    let shelf = Shelf(leaves: leaves)
    try fill(shelf, ["Rome", "Oslo", "Riga"])
    let context = ModelContext(try container(shelf))
    var descriptor = sorted
    descriptor.predicate = withR.predicate
    descriptor.fetchLimit = 1
    #expect(try context.fetch(descriptor).map(\.name) == ["Riga"])
    #expect(try context.fetchCount(descriptor) == 1)
    #expect(
      try context.fetchIdentifiers(descriptor) == context.fetch(descriptor).map(\.persistentModelID)
    )
  }

  @Test func `a store that finds more than is asked for is put right`() throws {
    let shelf = Shelf()
    try fill(shelf, ["Rome", "Oslo", "Riga"])
    let context = ModelContext(try container(shelf))
    #expect(try context.fetch(withR).map(\.name).sorted() == ["Riga", "Rome"])
    #expect(shelf.takeNotes() == ["fetch Trip some"])
  }

  @Test func `what memory would find and the store did not is looked for in all of the store`()
    throws
  {
    let shelf = Shelf()
    try fill(shelf, ["Rome", "Oslo", "Riga"])
    let context = ModelContext(try container(shelf))
    #expect(try context.fetch(sorted).count == 3)
    var last = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, order: .reverse)])
    last.fetchLimit = 1
    shelf.forgetNotes()
    #expect(try context.fetch(last).map(\.name) == ["Rome"])
    #expect(shelf.takeNotes() == ["fetch Trip sorted first 1"])
    shelf.remove(try #require(shelf.books(of: "Trip").first).persistentIdentifier)
    #expect(try context.fetch(last).map(\.name) == ["Riga"])
    #expect(shelf.takeNotes() == ["fetch Trip sorted first 1", "fetch Trip"])
  }

  @Test func `a store is asked for what is passed over, too`() throws {
    let shelf = Shelf()
    try fill(shelf, (0..<9).map { "Trip \($0)" })
    var page = FetchDescriptor<Trip>()
    (page.fetchOffset, page.fetchLimit) = (6, 2)
    #expect(
      try ModelContext(container(shelf)).fetch(page).map(\.name) == ["Trip 6", "Trip 7"])
    #expect(shelf.takeNotes() == ["fetch Trip first 8"])
    let context = ModelContext(try container(shelf))
    #expect(try context.fetch(page).count == 2)
    page.fetchOffset = .max
    #expect(try context.fetch(page) == [])
  }

  @Test func `counts and identifiers are the store's own unless changes are not saved`() throws {
    let shelf = Shelf()
    try fill(shelf, ["Rome", "Oslo"])
    let context = ModelContext(try container(shelf))
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 2)
    let identifiers = try context.fetchIdentifiers(FetchDescriptor<Trip>())
    #expect(shelf.takeNotes() == ["count Trip", "identifiers Trip"])
    #expect((context.model(for: identifiers[0]) as? Trip)?.name == "Rome")
    #expect(shelf.takeNotes() == ["cached [\"Trip\"]"])
    context.insert(Trip(name: "Riga"))
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 3)
    #expect(try context.fetchIdentifiers(FetchDescriptor<Trip>()).count == 3)
    #expect(shelf.takeNotes() == ["fetch Trip", "fetch Trip"])
  }

  @Test func `models that are only referred to are asked for by name`() throws {
    let shelf = Shelf()
    let writer = ModelContext(try container(shelf))
    let rome = Trip(name: "Rome")
    rome.items = [BucketListItem(title: "Forum"), BucketListItem(title: "Pantheon")]
    writer.insert(rome)
    try writer.save()
    shelf.forgetNotes()
    let context = ModelContext(try container(shelf))
    let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
    #expect(trip.items.map(\.title) == ["Forum", "Pantheon"])
    #expect(
      shelf.takeNotes() == ["fetch Trip", "cached [\"BucketListItem\", \"BucketListItem\"]"])
    let name = trip.items[1].persistentModelID
    let byName = FetchDescriptor<BucketListItem>(
      predicate: #Predicate { $0.persistentModelID == name })
    #expect(try context.fetch(byName).map(\.title) == ["Pantheon"])
  }

  @Test func `a predicate that makes no sense to the store is an error`() throws {
    let shelf = Shelf(leaves: .invalidPredicate)
    let context = ModelContext(try container(shelf))
    #expect(throws: DataStoreError.invalidPredicate) { try context.fetch(withR) }
    #expect(throws: DataStoreError.invalidPredicate) { try context.fetchCount(withR) }
  }

  @Test func `what the store makes of a model when it is saved is what the model has`() throws {
    let shelf = Shelf(stampsBooks: true)
    let context = ModelContext(try container(shelf))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    try context.save()
    #expect(trip.destination == "place 0")
    #expect(!context.hasChanges)
    trip.name = "Roma"
    try context.save()
    #expect(trip.destination == "place 1")
  }

  @Test func `a deletion by predicate is the store's own, and not told model by model`() throws {
    let shelf = Shelf()
    try fill(shelf, ["Rome", "Riga"])
    let context = ModelContext(try container(shelf))
    try context.delete(model: Trip.self, where: #Predicate { $0.name.starts(with: "R") })
    #expect(shelf.takeNotes() == ["fetch Trip some"])
    context.rollback()
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Trip>()).count == 2)
    try context.delete(model: Trip.self, where: #Predicate { $0.name.starts(with: "R") })
    let oslo = Trip(name: "Oslo")
    context.insert(oslo)
    shelf.forgetNotes()
    try context.save()
    #expect(shelf.takeNotes() == ["delete some", "save 1 new, 0 changed, 0 deleted"])
    #expect(try context.fetch(FetchDescriptor<Trip>()) == [oslo])
  }

  @Test func `a history of the store's own is fetched and deleted there`() throws {
    let shelf = Shelf()
    let context = ModelContext(try container(shelf))
    context.insert(Trip(name: "Rome"))
    try context.save()
    let all = try context.fetchHistory(HistoryDescriptor<ShelfEntry>())
    #expect(all.map(\.author) == ["save 1 new, 0 changed, 0 deleted"])
    let none = HistoryDescriptor<ShelfEntry>(predicate: #Predicate { $0.author == "nobody" })
    #expect(try context.fetchHistory(none) == [])
    try context.deleteHistory(HistoryDescriptor<ShelfEntry>())
    #expect(try context.fetchHistory(HistoryDescriptor<ShelfEntry>()) == [])
  }

  @Test func `results are asked for anew when they are fetched again`() throws {
    let shelf = Shelf()
    try fill(shelf, ["Rome"])
    let context = ModelContext(try container(shelf))
    let observer = try ResultsObserver(fetchDescriptor: sorted, modelContext: context)
    #expect(observer.results.map(\.name) == ["Rome"])
    try fill(shelf, ["Oslo"])
    observer.refetch()
    #expect(observer.results.map(\.name) == ["Oslo", "Rome"])
  }

  @Test func `erasing the container empties the store`() throws {
    let shelf = Shelf()
    try fill(shelf, ["Rome"])
    let container = try container(shelf)
    let context = ModelContext(container)
    #expect(try context.fetch(sorted).count == 1)
    try container.erase()
    #expect(try context.fetch(sorted) == [])
  }
}
