import Contrail
import Testing

@Suite("Observations and expressions")
@MainActor
struct ObservedValuesTests {
  @Test func `Observations give each value of a model, from the first one on`() async throws {
    let context = ModelContext(try memory(Trip.self))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    try context.save()
    let names = Observations { trip.name }
    var found: [String] = []
    for await name in names {
      found.append(name)
      if found.count == 3 { break }
      trip.name = "\(name)!"
    }
    #expect(found == ["Rome", "Rome!", "Rome!!"])
  }

  @Test func `an expression over a model reads it and what is related to it`() throws {
    let context = ModelContext(try memory(Trip.self))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    trip.items = ["Forum", "Pantheon"].map { BucketListItem(title: $0) }
    try context.save()
    let size = #Expression<Trip, Int> { $0.items.count + ($0.rating ?? 10) }
    #expect(try size.evaluate(trip) == 12)
    trip.rating = 1
    #expect(try size.evaluate(trip) == 3)
  }

  /// What another context does to the list of a trip's items.
  enum Work: CaseIterable { case insertion, move, deletion, batch, another }

  @Test(arguments: Work.allCases)
  func `who observes a list is told of what another context does to it`(work: Work) throws {
    let container = try memory(Trip.self)
    let context = container.mainContext
    let (trip, other) = (Trip(name: "Rome"), Trip(name: "Oslo"))
    context.insert(trip)
    context.insert(other)
    trip.items = ["Forum", "Pantheon"].map { BucketListItem(title: $0) }
    other.items = [BucketListItem(title: "Opera")]
    try context.save()
    #expect(trip.items.count == 2)
    let fired = Counter()
    withObservationTracking {
      _ = trip.items.count
    } onChange: {
      fired.count += 1
    }
    try change(container, trip.persistentModelID, work)
    context.processPendingChanges()
    #expect(fired.count == (work == .another ? 0 : 1))
    let counts: [Work: Int] = [.insertion: 3, .move: 3, .deletion: 1, .batch: 0, .another: 2]
    #expect(trip.items.count == counts[work])
  }

  private func change(
    _ container: ModelContainer, _ identifier: PersistentIdentifier, _ work: Work
  ) throws {
    let context = ModelContext(container)
    let trip = try #require(context.model(for: identifier) as? Trip)
    switch work {
    case .insertion: context.insert(BucketListItem(title: "Circus", trip: trip))
    case .move:
      let opera = FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.title == "Opera" })
      try #require(try context.fetch(opera).first).trip = trip
    case .deletion: context.delete(trip.items[0])
    case .batch: try context.delete(model: BucketListItem.self)
    case .another: context.insert(Lodging(address: "Via Appia"))
    }
    try context.save()
  }

  @Test func `who observes a model is told that another context has deleted it`() throws {
    let container = try memory(Trip.self)
    let trip = Trip(name: "Rome")
    container.mainContext.insert(trip)
    try container.mainContext.save()
    let fired = Counter()
    withObservationTracking {
      _ = trip.name
    } onChange: {
      fired.count += 1
    }
    let other = ModelContext(container)
    try other.delete(model: Trip.self)
    try other.save()
    container.mainContext.processPendingChanges()
    #expect(fired.count == 1)
    #expect(trip.isDeleted)
  }
}
