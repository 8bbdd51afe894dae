import Contrail
import Testing

private typealias Newest = SampleTrips3

@Suite("SampleTrips: the models")
struct SampleTripsTests {
  private func container() throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: Newest.self), migrationPlan: SampleTripsPlan.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  private func rome(_ destination: String = "Italy") -> Newest.Trip {
    Newest.Trip(
      name: "Rome", destination: destination, startDate: SampleTripsFiles.date(1),
      endDate: SampleTripsFiles.date(2))
  }

  @Test func `the schema is what the classes say, without any other file`() throws {
    let schema = Schema(versionedSchema: Newest.self)
    #expect(schema.version == Schema.Version(3, 0, 0))
    #expect(
      schema.entities.map(\.name).sorted() == ["BucketListItem", "LivingAccommodation", "Trip"])
    let trip = try #require(schema.entity(for: Newest.Trip.self))
    #expect(
      trip.properties.map(\.name).sorted() == [
        "bucketList", "destination", "endDate", "livingAccommodation", "name", "startDate",
      ])
    #expect(trip.uniquenessConstraints == [["name"]])
    #expect(trip.attributesByName["startDate"]?.originalName == "start_date")
  }

  @Test func `a new trip whose name is taken becomes an update of the trip that has it`() throws {
    let container = try container()
    let context = ModelContext(container)
    let first = rome()
    context.insert(first)
    try context.save()
    let identifier = first.persistentModelID

    let other = ModelContext(container)
    let second = rome("Lazio")
    other.insert(second)
    let temporary = second.persistentModelID
    #expect(temporary != identifier)
    try other.save()
    // The identity is that of the trip that was there, and history says that it was updated.
    #expect(try other.fetchIdentifiers(FetchDescriptor<Newest.Trip>()) == [identifier])
    #expect(second.persistentModelID == identifier)
    let last = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last
    #expect(last?.changes.count == 1)
    guard case .update(let update)? = last?.changes.first else {
      Issue.record("no update: \(String(describing: last?.changes))")
      return
    }
    #expect(update.changedPersistentIdentifier == identifier)
    context.processPendingChanges()
    #expect(first.destination == "Lazio")
  }

  @Test
  func `where a context is to be strict, a name that is taken is an error, and nothing is saved`()
    throws
  {
    let context = ModelContext(try container())
    context.uniquePolicy = .strict
    context.insert(rome())
    try context.save()
    context.insert(rome("Lazio"))
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .notUnique)
    context.rollback()
    #expect(try context.fetch(FetchDescriptor<Newest.Trip>()).map(\.destination) == ["Italy"])
  }

  @Test func `numbers, identifiers and to-one relationships may be unique, alone and together`()
    throws
  {
    let container = try memory(Berth.self, Ship.self)
    let context = ModelContext(container)
    let (one, two) = (Ship(number: 1), Ship(number: 2))
    context.insert(one)
    context.insert(two)
    let key = UUID()
    for (ship, deck) in [(one, 1), (one, 2), (two, 1)] {
      context.insert(Berth(ship: ship, deck: deck, guest: "none", key: UUID()))
    }
    context.insert(Berth(ship: nil, deck: 3, guest: "none", key: key))
    try context.save()
    context.insert(Berth(ship: one, deck: 2, guest: "Ann", key: UUID()))
    context.insert(Berth(ship: nil, deck: 9, guest: "Bob", key: key))
    context.insert(Ship(number: 2))
    try context.save()
    let berths = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Berth.guest)]))
    #expect(berths.map(\.guest) == ["Ann", "Bob", "none", "none"])
    #expect(berths[0].ship === one && berths[0].deck == 2)
    #expect(berths[1].deck == 9)
    #expect(try context.fetchCount(FetchDescriptor<Ship>()) == 2)
  }

  @Test func `what is unique by a related model is found whichever of both is inserted first`()
    throws
  {
    let container = try memory(Berth.self, Ship.self, Crate.self)
    let context = ModelContext(container)
    context.insert(Berth(ship: Ship(number: 1), deck: 2, guest: "Ann", key: UUID()))
    context.insert(Berth(ship: Ship(number: 2), deck: 2, guest: "Bob", key: UUID()))
    let outer = Crate("a", in: nil)
    context.insert(Crate("a", in: Crate("a", in: Crate("b", in: outer))))
    try context.save()
    let other = ModelContext(container)
    other.insert(Berth(ship: Ship(number: 1), deck: 2, guest: "Cora", key: UUID()))
    other.insert(Berth(ship: Ship(number: 3), deck: 2, guest: "Dan", key: UUID()))
    try other.save()
    let berths = try other.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Berth.guest)]))
    #expect(berths.map(\.guest) == ["Bob", "Cora", "Dan"])
    #expect(berths.map { $0.ship?.number } == [2, 1, 3])
    #expect(try other.fetchCount(FetchDescriptor<Ship>()) == 3)
  }

  @Test func `a chain and a ring of models that are unique by one another are saved`() throws {
    let container = try memory(Crate.self)
    let context = ModelContext(container)
    let count = 2_000
    let crates = (0..<count).map { Crate("\($0)", in: nil) }
    for (inner, outer) in zip(crates, crates.dropFirst()) { inner.outer = outer }
    for crate in crates { context.insert(crate) }
    let (one, two) = (Crate("one", in: nil), Crate("two", in: nil))
    one.outer = two
    two.outer = one
    context.insert(one)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Crate>()) == count + 2)
    let last = try #require(crates.last)
    let other = ModelContext(container)
    let copy = Crate("\(count - 2)", in: nil)
    other.insert(Crate("\(count - 3)", in: copy))
    copy.outer = try #require(other.model(for: last.persistentModelID) as? Crate)
    try other.save()
    #expect(try other.fetchCount(FetchDescriptor<Crate>()) == count + 2)
  }

  @Test func `the other end of a relationship is found without being named, and set with it`()
    throws
  {
    let schema = Schema(versionedSchema: Newest.self)
    let trip = try #require(schema.entity(for: Newest.Trip.self))
    #expect(trip.relationshipsByName["bucketList"]?.inverseName == "trip")
    #expect(trip.relationshipsByName["livingAccommodation"]?.inverseName == "trip")
    let context = ModelContext(try container())
    let trip1 = rome()
    context.insert(trip1)
    let stay = Newest.LivingAccommodation(placeName: "Hostal")
    trip1.livingAccommodation = stay
    trip1.bucketList.append(Newest.BucketListItem(title: "Forum"))
    #expect(stay.trip === trip1)
    #expect(trip1.bucketList.first?.trip === trip1)
  }

  @Test
  func `a deleted trip takes its items and its stay along; a deleted item just leaves its trip`()
    throws
  {
    let context = ModelContext(try container())
    let trip = rome()
    context.insert(trip)
    trip.livingAccommodation = Newest.LivingAccommodation(placeName: "Hostal")
    trip.bucketList = ["Forum", "Colosseum"].map { Newest.BucketListItem(title: $0) }
    try context.save()
    context.delete(trip.bucketList[0])
    try context.save()
    #expect(trip.bucketList.map(\.title) == ["Colosseum"])
    context.delete(trip)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Newest.BucketListItem>()) == 0)
    #expect(try context.fetchCount(FetchDescriptor<Newest.LivingAccommodation>()) == 0)
  }

  @Test
  func `a relationship without a rule is nullified, and may have a least and a greatest count`()
    throws
  {
    let context = ModelContext(try memory(Crew.self, Hand.self))
    let crew = Crew()
    context.insert(crew)
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(SwiftDataError.modelValidationFailure ~= (try #require(error)))
    crew.hands = (1...4).map { Hand(number: $0) }
    #expect(throws: StoreError.self) { try context.save() }
    crew.hands.removeLast()
    try context.save()
    crew.hands.removeLast()
    try context.save()
    context.delete(crew)
    try context.save()
    let hands = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Hand.number)]))
    #expect(hands.map(\.number) == [1, 2, 3, 4])
    #expect(hands.allSatisfy { $0.crew == nil })
  }

  @Test
  func `how often a trip was viewed is not kept, and begins with its default when it is fetched`()
    throws
  {
    let container = try container()
    let context = ModelContext(container)
    let trip = rome()
    trip.tripViews = 7
    context.insert(trip)
    try context.save()
    #expect(trip.tripViews == 7)
    let found = try ModelContext(container).fetch(FetchDescriptor<Newest.Trip>())
    #expect(found.map(\.tripViews) == [0])
    let properties = try #require(container.schema.entity(for: Newest.Trip.self)).properties
    #expect(!properties.contains { $0.name == "tripViews" })
  }
}

@Model final class Ship {
  @Attribute(.unique) var number: Int
  var berths: [Berth] = []

  init(number: Int) { self.number = number }
}

@Model final class Berth {
  #Unique<Berth>([\.ship, \.deck], [\.key])
  var ship: Ship?
  var deck: Int
  var guest: String
  var key: UUID

  init(ship: Ship?, deck: Int, guest: String, key: UUID) {
    self.ship = ship
    self.deck = deck
    self.guest = guest
    self.key = key
  }
}

/// Unique within what it is in.
@Model final class Crate {
  #Unique<Crate>([\.name, \.outer])
  var name: String
  var outer: Crate?
  var inner: [Crate] = []

  init(_ name: String, in outer: Crate?) {
    self.name = name
    self.outer = outer
  }
}

@Model final class Crew {
  @Relationship(minimumModelCount: 2, maximumModelCount: 3) var hands: [Hand] = []

  init() {}
}

@Model final class Hand {
  var number: Int
  var crew: Crew?

  init(number: Int) { self.number = number }
}
