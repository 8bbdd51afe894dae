import Contrail
import Synchronization
import Testing

/// What the macros write, compiled and run.
@Suite struct MacroModelTests {
  @Test @MainActor func `defaults are made once for a new object and never for one that is read`()
    throws
  {
    DefaultsMade.count = 0
    let container = try memory(MacroPanel.self)
    let context = ModelContext(container)
    context.insert(MacroPanel(title: "north"))
    context.insert(MacroPanel())
    try context.save()
    #expect(DefaultsMade.count == 2)
    let other = ModelContext(container)
    let read = try other.fetch(FetchDescriptor<MacroPanel>()).sorted { $0.number < $1.number }
    #expect(read.map(\.title) == ["north", "untitled"])
    #expect(read.map(\.number) == [1, 2])
    #expect(DefaultsMade.count == 2)
  }

  @Test func `a default is made when the initializer runs, even if that sets nothing`() {
    let first = MacroStamp()
    let second = MacroStamp()
    #expect(second.number == first.number + 1)
    #expect(MacroStamp.numbers.withLock { $0 } == second.number)
    let third = MacroStamp()
    #expect(MacroStamp.numbers.withLock { $0 } == third.number)
    _ = MacroStamp()
    #expect(MacroStamp.numbers.withLock { $0 } == third.number + 1)
  }

  @Test func `a root class with a protocol is initialized in any order and related at once`() throws
  {
    let context = ModelContext(try memory(MacroVehicle.self, MacroTruck.self, MacroOwner.self))
    let owner = MacroOwner(name: "Ada")
    context.insert(owner)
    let vehicle = MacroVehicle(name: "van", owner: owner)
    #expect(vehicle.label == "van on 4")
    #expect(vehicle.owner === owner)
    #expect(owner.vehicles.first === vehicle)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<MacroVehicle>()) == 1)
  }

  @Test func `a subclass is one object, whichever class's initializer set its properties`() throws {
    let container = try memory(MacroVehicle.self, MacroTruck.self, MacroOwner.self)
    let context = ModelContext(container)
    let depot = MacroOwner(name: "East")
    let truck = MacroTruck(name: "lorry", load: 7.5, depot: depot)
    #expect(truck.wheels == 6)
    context.insert(truck)
    try context.save()

    let other = ModelContext(container)
    let read = try #require(try other.fetch(FetchDescriptor<MacroTruck>()).first)
    #expect(read.name == "lorry")
    #expect(read.load == 7.5)
    #expect(read.axles == 3)
    #expect(read.wheels == 6)
    #expect(read.depot?.name == "East")
    #expect(read.owner?.name == "East")
    #expect(read.label == "")
    #expect(read.owner?.vehicles.count == 1)
    let vehicles = try other.fetch(FetchDescriptor<MacroVehicle>())
    #expect(vehicles.map { $0 is MacroTruck } == [true])
  }

  @Test func `keywords, conditions and a generic scope do not stand in the way`() throws {
    typealias Entry = MacroScope<Int>.Entry
    let container = try memory(Entry.self)
    let context = ModelContext(container)
    let entry = Entry(class: "first")
    entry.default = 2
    context.insert(entry)
    try context.save()
    let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Entry>()).first)
    #expect(read.default == 2)
    #expect(read.class == "first")
    #expect(read.hidden == ["made"])
    #expect(read.present)
    #expect(read.id == entry.id)
    #expect(read.computed == 3)
    #expect(Entry.schemaMetadata.count == 5)
  }

  @Test func `metadata of a subclass is its own part`() {
    let types: [any PersistentModel.Type] = [MacroVehicle.self, MacroTruck.self]
    #expect(types.map { $0.schemaMetadata.count } == [3, 3])
    #expect(MacroVehicle._$rankCount(MacroVehicle.self) == 3)
  }
}
