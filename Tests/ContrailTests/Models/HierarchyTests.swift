import Contrail
import Testing

@Suite("Classes that inherit")
struct HierarchyTests {
  private func container() throws -> ModelContainer {
    let container = try memory(Vehicle.self, Truck.self, FireTruck.self)
    let context = ModelContext(container)
    let garage = Garage(street: "Main Street")
    context.insert(garage)
    garage.vehicles = [
      Vehicle(name: "Car"), Truck(name: "Lorry", load: 7.5), FireTruck(name: "Engine", load: 3),
    ]
    try context.save()
    return container
  }

  @Test func `a fetch of the superclass gives models of their own classes with all values`() throws
  {
    let context = ModelContext(try container())
    let found = try context.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]))
    #expect(
      found.map { "\(type(of: $0)) \($0.name)" } == [
        "Vehicle Car", "FireTruck Engine", "Truck Lorry",
      ])
    #expect(found.compactMap { ($0 as? Truck)?.load } == [3, 7.5])
    #expect(found.map(\.wheels) == [4, 4, 4])
    #expect((found[1] as? FireTruck)?.ladder == 30)
  }

  @Test func `a fetch of a subclass finds it and its subclasses, by own and inherited values`()
    throws
  {
    let context = ModelContext(try container())
    let descriptor = FetchDescriptor<Truck>(
      predicate: #Predicate { $0.name != "Car" && $0.load > 2 },
      sortBy: [SortDescriptor(\.name, order: .reverse)])
    #expect(try context.fetch(descriptor).map(\.name) == ["Lorry", "Engine"])
    #expect(try context.fetchCount(FetchDescriptor<FireTruck>()) == 1)
  }

  @Test func `a list of the superclass has models of all classes in order, each with its owner`()
    throws
  {
    let context = ModelContext(try container())
    let garage = try #require(try context.fetch(FetchDescriptor<Garage>()).first)
    #expect(garage.vehicles.map(\.name) == ["Car", "Lorry", "Engine"])
    #expect(garage.vehicles.allSatisfy { $0.garage === garage })
    #expect(garage.vehicles[2] is FireTruck)
  }

  @Test func `a property that is computed, not stored, can filter and sort a fetch`() throws {
    let context = ModelContext(try container())
    let descriptor = FetchDescriptor<Truck>(
      predicate: #Predicate { $0.shownName == "LORRY" }, sortBy: [SortDescriptor(\.shownName)])
    #expect(try context.fetch(descriptor).map(\.name) == ["Lorry"])
  }

  @Test func `changes of own and inherited properties of a subclass are saved`() throws {
    let container = try container()
    let context = ModelContext(container)
    let truck = try #require(try context.fetch(FetchDescriptor<FireTruck>()).first)
    truck.name = "Engine 2"
    truck.ladder = 40
    try context.save()
    let other = ModelContext(container)
    let again = try #require(try other.fetch(FetchDescriptor<FireTruck>()).first)
    #expect([again.name, "\(again.load)", "\(again.ladder)"] == ["Engine 2", "3.0", "40"])
  }
}
