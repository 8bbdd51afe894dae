import Contrail
import Testing

@Suite("A model from end to end")
struct FirstStepsTests {
  @Test func `a saved model is fetched with all its values when the file is opened again`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("trips.store")
    do {
      let container = try ModelContainer(
        for: Trip.self, configurations: ModelConfiguration(url: url))
      let context = ModelContext(container)
      let trip = Trip(name: "Rome", destination: "Italy", start: Date(timeIntervalSince1970: 5))
      trip.rating = 4
      context.insert(trip)
      try context.save()
    }
    let container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
    let found = try ModelContext(container).fetch(FetchDescriptor<Trip>())
    #expect(found.map(\.name) == ["Rome"])
    #expect(found.map(\.destination) == ["Italy"])
    #expect(found.map(\.start) == [Date(timeIntervalSince1970: 5)])
    #expect(found.map(\.rating) == [4])
  }

  @Test func `a fetch filters, sorts and counts by properties, optional ones too`() throws {
    let context = ModelContext(try memory(Trip.self))
    for (name, rating) in [("Rome", 3), ("Oslo", 5), ("Bern", 4), ("Riga", 5)] {
      let trip = Trip(name: name)
      trip.rating = rating
      context.insert(trip)
    }
    try context.save()
    let descriptor = FetchDescriptor<Trip>(
      predicate: #Predicate { ($0.rating ?? 0) >= 4 },
      sortBy: [SortDescriptor(\.rating, order: .reverse), SortDescriptor(\.name)])
    #expect(try context.fetch(descriptor).map(\.name) == ["Oslo", "Riga", "Bern"])
    #expect(try context.fetchCount(descriptor) == 3)
  }

  @Test func `a fetch gives the very model that was inserted, and it knows its context`() throws {
    let context = ModelContext(try memory(Trip.self))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    try context.save()
    let found = try context.fetch(FetchDescriptor<Trip>())
    #expect(found.count == 1)
    #expect(found.first === trip)
    #expect(found.first?.modelContext === context)
  }

  @Test func `changing either side of a relationship changes the other`() throws {
    let context = ModelContext(try memory(Trip.self))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    let first = BucketListItem(title: "Forum", trip: trip)
    let second = BucketListItem(title: "Colosseum")
    trip.items.append(second)
    #expect(trip.items == [first, second])
    #expect(second.trip === trip)
    trip.items.removeAll { $0 === first }
    #expect(first.trip == nil)
    #expect(trip.items == [second])
  }

  @Test func `what a model is related to before or after its insertion is saved with it`() throws {
    let container = try memory(Trip.self)
    let context = ModelContext(container)
    let trip = Trip(name: "Rome")
    trip.items = [BucketListItem(title: "Forum")]
    context.insert(trip)
    trip.items.append(BucketListItem(title: "Colosseum"))
    _ = BucketListItem(title: "Pantheon", trip: trip)
    #expect(context.insertedModelsArray.count == 4)
    try context.save()
    let other = ModelContext(container)
    let titles = try other.fetch(
      FetchDescriptor<BucketListItem>(sortBy: [SortDescriptor(\.title)]))
    #expect(titles.map(\.title) == ["Colosseum", "Forum", "Pantheon"])
    #expect(titles.map { $0.trip?.name } == ["Rome", "Rome", "Rome"])
  }

  @Test func `relating one side of models that are in no context relates the other`() {
    let trip = Trip(name: "Rome")
    let item = BucketListItem(title: "Forum", trip: trip)
    #expect(trip.items == [item])
    #expect(trip.items.first === item)
    #expect(item.trip === trip)
  }

  @Test func `an observer is told of the first change to what it read and of no other`() throws {
    let context = ModelContext(try memory(Trip.self))
    let (rome, oslo) = (Trip(name: "Rome"), Trip(name: "Oslo"))
    context.insert(rome)
    context.insert(oslo)
    let fired = Counter()
    withObservationTracking {
      _ = rome.destination
    } onChange: {
      fired.count += 1
    }
    rome.name = "Roma"
    oslo.destination = "Norway"
    #expect(fired.count == 0)
    rome.destination = "Italy"
    rome.destination = "Europe"
    #expect(fired.count == 1)
  }

  @Test func `an observer of a list is told when an item joins it from the other side`() throws {
    let context = ModelContext(try memory(Trip.self))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    let fired = Counter()
    withObservationTracking {
      _ = trip.items.count
    } onChange: {
      fired.count += 1
    }
    _ = BucketListItem(title: "Forum", trip: trip)
    #expect(fired.count == 1)
  }

  @Test func `a deleted model cascades, says that it is deleted, and can still be read`() throws {
    let context = ModelContext(try memory(Trip.self))
    let trip = Trip(name: "Rome")
    trip.items = [BucketListItem(title: "Forum")]
    context.insert(trip)
    try context.save()
    context.delete(trip)
    try context.save()
    #expect(trip.isDeleted)
    #expect(trip.name == "Rome")
    #expect(try context.fetchCount(FetchDescriptor<BucketListItem>()) == 0)
  }

  @Test func `an identifier names its entity and store once saved, and decodes as equal`() throws {
    let context = ModelContext(try memory(Trip.self))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    #expect(trip.persistentModelID.storeIdentifier == nil)
    try context.save()
    let identifier = trip.persistentModelID
    #expect(identifier.entityName == "Trip")
    #expect(identifier.storeIdentifier != nil)
    let decoded = try JSONDecoder().decode(
      PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
    #expect(decoded == identifier)
  }
}

/// Counts from a closure that may run anywhere, and in these tests runs at once.
final class Counter: @unchecked Sendable {
  var count = 0
}
