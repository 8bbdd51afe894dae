import Contrail
import Testing

@Suite("Options of fetches and deletions")
struct FetchOptionTests {
  @Test(arguments: [false, true])
  func `related models are in memory at once where they are asked for ahead`(isAsked: Bool) throws {
    let container = try memory(Trip.self)
    let writing = ModelContext(container)
    let trip = Trip(name: "Rome")
    writing.insert(trip)
    trip.items = ["Forum", "Pantheon"].map { BucketListItem(title: $0) }
    let lodging = Lodging(address: "Via Appia")
    trip.lodging = lodging
    try writing.save()
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Trip>()
    if isAsked { descriptor.relationshipKeyPathsForPrefetching = [\.items, \.lodging] }
    let found = try context.fetch(descriptor)
    #expect(found.map(\.name) == ["Rome"])
    let items: [BucketListItem?] = trip.items.map {
      context.registeredModel(for: $0.persistentModelID)
    }
    #expect(items.map { $0?.title } == (isAsked ? ["Forum", "Pantheon"] : [nil, nil]))
    let home: Lodging? = context.registeredModel(for: lodging.persistentModelID)
    #expect(home?.address == (isAsked ? "Via Appia" : nil))
  }

  @Test func `a deletion without subclasses leaves models of these`() throws {
    let context = ModelContext(try memory(Vehicle.self, Truck.self, FireTruck.self))
    context.insert(Vehicle(name: "Car"))
    context.insert(Truck(name: "Lorry", load: 7))
    context.insert(FireTruck(name: "Engine", load: 3))
    try context.save()
    try context.delete(model: Truck.self, includeSubclasses: false)
    try context.save()
    let left = FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)])
    #expect(try context.fetch(left).map(\.name) == ["Car", "Engine"])
    try context.delete(model: Vehicle.self)
    try context.save()
    #expect(try context.fetchCount(left) == 0)
  }

  @Test func `an offset leaves out the first models, and all where there are no more`() throws {
    let context = ModelContext(try memory(Trip.self))
    for name in ["Rome", "Oslo"] { context.insert(Trip(name: name)) }
    try context.save()
    var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
    descriptor.fetchOffset = 5
    #expect(try context.fetch(descriptor) == [])
    descriptor.fetchOffset = 1
    #expect(try context.fetch(descriptor).map(\.name) == ["Rome"])
  }

  @Test func `a configuration keeps the group that it is given`() {
    let plain = ModelConfiguration(isStoredInMemoryOnly: true)
    #expect(plain.groupContainer == .automatic)
    #expect(plain.groupAppContainerIdentifier == nil)
    let shared = ModelConfiguration(
      "shared", isStoredInMemoryOnly: true, groupContainer: .identifier("group.example"))
    #expect(shared.groupContainer == .identifier("group.example"))
    #expect(shared.groupAppContainerIdentifier == "group.example")
  }
}
