import Contrail
import Testing

@Suite("A store that somebody else wrote, and others write, too")
struct SharedStoreTests {
  let shelf = Shelf()

  private func container(_ types: any PersistentModel.Type...) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(types), configurations: ShelfConfiguration(name: "shelf", shelf: shelf))
  }

  private func names(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])).map(\.name)
  }

  @Test func `a model that is edited here and deleted elsewhere is one model when it is saved`()
    throws
  {
    let context = ModelContext(try container(Trip.self))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    try context.save()
    let identifier = trip.persistentModelID
    trip.destination = "Italy"
    let other = ModelContext(try container(Trip.self))
    for found in try other.fetch(FetchDescriptor<Trip>()) { other.delete(found) }
    try other.save()
    let third = ModelContext(context.container)
    #expect(try names(third) == [])
    try context.save()
    #expect(try names(context) == ["Rome"])
    #expect(try names(third) == ["Rome"])
    #expect(trip.persistentModelID == identifier)
    #expect(try context.fetch(FetchDescriptor<Trip>()).first === trip)
  }

  @Test func `models of classes that inherit are found with those of the class`() throws {
    let writer = ModelContext(try container(Garage.self, Vehicle.self, Truck.self, FireTruck.self))
    let truck = Truck(name: "Bedford", load: 3)
    writer.insert(truck)
    writer.insert(Vehicle(name: "Bike"))
    try writer.save()
    let context = ModelContext(
      try container(Garage.self, Vehicle.self, Truck.self, FireTruck.self))
    let trucks = try context.fetch(FetchDescriptor<Truck>())
    trucks.first?.load = 4
    let all = try context.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]))
    #expect(all.map(\.name) == ["Bedford", "Bike"])
    #expect(all.first === trucks.first)
    #expect(try context.fetchCount(FetchDescriptor<Vehicle>()) == 2)
    let named = FetchDescriptor<Vehicle>(predicate: #Predicate { $0.name == "Bedford" })
    let fresh = ModelContext(
      try container(Garage.self, Vehicle.self, Truck.self, FireTruck.self))
    #expect(try fresh.fetch(named).map { type(of: $0) == Truck.self } == [true])
  }

  @Test func `unsaved changes are deleted one by one`() throws {
    let context = ModelContext(try container(Trip.self))
    for name in ["Rome", "Oslo"] { context.insert(Trip(name: name)) }
    try context.save()
    for trip in try context.fetch(FetchDescriptor<Trip>()) {
      trip.name = trip.name == "Rome" ? "Turin" : "Riga"
    }
    shelf.forgetNotes()
    try context.delete(model: Trip.self, where: #Predicate { $0.name.starts(with: "R") })
    try context.save()
    #expect(shelf.takeNotes().last == "save 0 new, 1 changed, 1 deleted")
    #expect(try names(ModelContext(container(Trip.self))) == ["Turin"])
  }

  @Test func `a container asks for a model that another container knows`() throws {
    let writer = ModelContext(try container(Trip.self))
    let trip = Trip(name: "Rome")
    writer.insert(trip)
    try writer.save()
    let identifier = trip.persistentModelID
    let context = ModelContext(try container(Trip.self))
    #expect((context.model(for: identifier) as? Trip)?.name == "Rome")
    let byName = FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == identifier })
    let fresh = ModelContext(try container(Trip.self))
    #expect(try fresh.fetchCount(byName) == 1)
    var count = 0
    try fresh.enumerate(byName) { _ in count += 1 }
    #expect(count == 1)
  }

  @Test func `what is found by a related model is found when that has changed elsewhere`() throws {
    let writer = ModelContext(try container(Trip.self))
    let trip = Trip(name: "Rome")
    trip.items = [BucketListItem(title: "Forum")]
    writer.insert(trip)
    try writer.save()
    let context = ModelContext(try container(Trip.self))
    let roma = FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.trip?.name == "Roma" })
    #expect(try context.fetch(roma) == [])
    trip.name = "Roma"
    try writer.save()
    #expect(try context.fetch(roma).map(\.title) == ["Forum"])
    trip.name = "Napoli"
    try writer.save()
    #expect(try context.fetch(roma) == [])
  }

  @Test func `what somebody deletes elsewhere takes nothing with it here that the store still has`()
    throws
  {
    let context = ModelContext(try container(Trip.self))
    let trip = Trip(name: "Rome")
    let item = BucketListItem(title: "Forum")
    trip.items = [item]
    context.insert(trip)
    try context.save()
    shelf.remove(trip.persistentModelID)
    #expect(try names(context) == [])
    #expect(!item.isDeleted)
    let items = try context.fetch(FetchDescriptor<BucketListItem>())
    #expect(items == [item])
    #expect(item.trip == nil)
  }

  @Test func `two contexts that change different properties lose neither`() throws {
    let container = try container(Trip.self)
    let (ann, ben) = (ModelContext(container), ModelContext(container))
    ann.insert(Trip(name: "Rome"))
    try ann.save()
    let ours = try #require(try ann.fetch(FetchDescriptor<Trip>()).first)
    let theirs = try #require(try ben.fetch(FetchDescriptor<Trip>()).first)
    ours.name = "Roma"
    theirs.destination = "Italy"
    try ben.save()
    try ann.save()
    let found = try ModelContext(self.container(Trip.self)).fetch(FetchDescriptor<Trip>())
    #expect(found.map { [$0.name, $0.destination] } == [["Roma", "Italy"]])
  }

  @Test func `a save that others have overtaken is refused before the store hears of it`() throws {
    let container = try container(Trip.self)
    let (ann, ben) = (ModelContext(container), ModelContext(container))
    ann.mergePolicy = .error
    ann.insert(Trip(name: "Rome"))
    try ann.save()
    let ours = try #require(try ann.fetch(FetchDescriptor<Trip>()).first)
    let theirs = try #require(try ben.fetch(FetchDescriptor<Trip>()).first)
    ours.name = "Roma"
    theirs.name = "Ruma"
    try ben.save()
    shelf.forgetNotes()
    let error = #expect(throws: StoreError.self) { try ann.save() }
    #expect(error?.code == .conflict)
    #expect(shelf.takeNotes() == [])
    #expect(ann.hasChanges)
  }

  @Test func `values that are unique here may be double in the store, and change places there`()
    throws
  {
    let context = ModelContext(try container(Trip.self))
    let (rome, oslo) = (Trip(name: "Rome"), Trip(name: "Oslo"))
    for trip in [rome, oslo] { context.insert(trip) }
    try context.save()
    func rename(_ trip: Trip, _ name: String) throws {
      let book = try #require(shelf.book(trip.persistentModelID))
      shelf.put(
        DefaultSnapshot(
          persistentIdentifier: book.persistentIdentifier,
          values: book.values.merging(["name": .text(name)]) { $1 }))
    }
    try rename(oslo, "Rome")
    #expect(try names(context) == ["Rome", "Rome"])
    try rename(rome, "Oslo")
    #expect(try names(context) == ["Oslo", "Rome"])
    #expect([rome.name, oslo.name] == ["Oslo", "Rome"])
  }

  @Test func `a value that is unique may go to another model`() throws {
    let context = ModelContext(try container(Trip.self))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    try context.save()
    let other = ModelContext(try container(Trip.self))
    for found in try other.fetch(FetchDescriptor<Trip>()) { other.delete(found) }
    try other.save()
    other.insert(Trip(name: "Rome", destination: "Georgia"))
    try other.save()
    let found = try context.fetch(
      FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" }))
    #expect(found.map(\.destination) == ["Georgia"])
    #expect(try names(context) == ["Rome"])
  }

  @Test func `contexts on several threads fetch and save beside each other`() async throws {
    let container = try container(Trip.self)
    try await withThrowingTaskGroup { group in
      for task in 0..<4 {
        group.addTask {
          let context = ModelContext(container, isolation: nil)
          for number in 0..<20 {
            let trip = Trip(name: "\(task)-\(number)")
            context.insert(trip)
            try context.save()
            for found in try context.fetch(FetchDescriptor<Trip>()).prefix(2) {
              found.rating = number
            }
            try context.reading { _ = try context.fetchCount(FetchDescriptor<Trip>()) }
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try names(ModelContext(container)).count == 80)
    #expect(shelf.books(of: "Trip").count == 80)
  }

  @Test @MainActor func `what is saved by itself when a context goes is saved in the store`()
    async throws
  {
    var container: ModelContainer? = try container(Trip.self)
    container?.mainContext.insert(Trip(name: "Rome"))
    container = nil
    for _ in 0..<2_000 where shelf.books(of: "Trip").isEmpty {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try names(ModelContext(self.container(Trip.self))) == ["Rome"])
  }
}
