import Contrail
import Testing

@testable import ObjectStore

/// Models that are held longer than their contexts.
@Suite struct LastingModels {
  private func container() throws -> ModelContainer {
    let container = try memory(Trip.self)
    let context = Contrail.ModelContext(container)
    let trip = Trip(name: "Rome", destination: "Italy")
    context.insert(trip)
    trip.items = [BucketListItem(title: "Forum"), BucketListItem(title: "Pantheon")]
    try context.save()
    return container
  }

  /// What a function returns of a context of its own.
  private func trip(_ container: ModelContainer) throws -> Trip {
    try #require(try Contrail.ModelContext(container).fetch(FetchDescriptor<Trip>()).first)
  }

  @Test func `A model keeps its identity and shows what is in the store without its context`()
    throws
  {
    let container = try container()
    let trip = try trip(container)
    #expect(trip.modelContext == nil)
    #expect(trip.destination == "Italy")
    #expect(trip.items.map(\.title).sorted() == ["Forum", "Pantheon"])
    #expect(trip.items.allSatisfy { $0.trip === trip })
    let other = Contrail.ModelContext(container)
    let found = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
    #expect(trip.persistentModelID == found.persistentModelID)
    #expect(other.model(for: trip.persistentModelID) as? Trip === found)
  }

  @Test func `What was saved and then changed without saving goes with the context`() throws {
    let container = try container()
    weak var part: ObjectStore.ModelContext?
    do {
      var held: Trip?
      do {
        let context = Contrail.ModelContext(container)
        let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
        trip.destination = "Lazio"
        trip.items.append(BucketListItem(title: "Never"))
        context.insert(Trip(name: "Oslo"))
        part = trip.managedObject.modelContext
        held = trip
      }
      #expect(part != nil)
      let trip = try #require(held)
      #expect(trip.destination == "Lazio")
      trip.rating = 3
      #expect(trip.rating == 3)
      #expect(trip.items.count >= 2)
    }
    #expect(part == nil)
    #expect(try self.trip(container).destination == "Italy")
    #expect(try self.trip(container).items.count == 2)
  }

  @Test func `A context whose models are let go of goes, whatever is not saved`() throws {
    let container = try container()
    weak var part: ObjectStore.ModelContext?
    do {
      let context = Contrail.ModelContext(container)
      let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
      part = trip.managedObject.modelContext
      context.delete(trip)
      context.insert(Trip(name: "Oslo"))
    }
    #expect(part == nil)
  }

  @MainActor
  @Test func `Changes that wait to be saved by themselves are saved without the context`()
    async throws
  {
    let container = try container()
    let identifier: PersistentIdentifier
    weak var part: ObjectStore.ModelContext?
    do {
      let context = Contrail.ModelContext(container)
      context.autosaveEnabled = true
      let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
      identifier = trip.persistentModelID
      part = trip.managedObject.modelContext
      trip.destination = "Lazio"
    }
    for _ in 0..<400 where part != nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(part == nil)
    let trip = try trip(container)
    #expect(trip.persistentModelID == identifier)
    #expect(trip.destination == "Lazio")
  }

  /// What the main actor has, and any thread may let go of.
  @MainActor private final class Screen {
    let trips: [Trip]

    init(_ trips: [Trip]) { self.trips = trips }
  }

  @MainActor
  @Test func `Models may go on another thread while their context goes on reading`() async throws {
    let container = try memory(Trip.self)
    let names = (1...100).map { "Trip \($0)" }
    for name in names { container.mainContext.insert(Trip(name: name)) }
    try container.mainContext.save()
    let order = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
    let context = Contrail.ModelContext(container)
    var leaving: [Task<Void, Never>] = []
    for _ in 0..<200 {
      let screen = Screen(try context.fetch(order))
      leaving.append(Task.detached { withExtendedLifetime(screen) {} })
      let found = try context.fetch(order)
      #expect(Set(found.map(\.name)).count == names.count)
      #expect(zip(found, try context.fetch(order)).allSatisfy { $0 === $1 })
    }
    for task in leaving { await task.value }
    let part = try #require(try context.fetch(order).first?.managedObject.modelContext)
    try context.save()
    #expect(part.identities.map(\.count).reduce(0, +) == 0)
  }
}
