import Contrail
import Testing

@Suite("Models by key paths, and schemas by entities")
struct KeyPathTests {
  private func memory(_ schema: Schema) throws -> ModelContainer {
    try ModelContainer(
      for: schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test func `a property is read and set by its key path`() throws {
    let context = ModelContext(try memory(Schema([Trip.self])))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    trip.setValue(forKey: \.name, to: "Oslo")
    trip.setTransformableValue(forKey: \.rating, to: 4)
    #expect(trip.name == "Oslo")
    #expect(trip.getValue(forKey: \.name) == "Oslo")
    #expect(trip.getTransformableValue(forKey: \.rating) == 4)
  }

  @Test func `what cannot be set by its key path is told by the next save`() throws {
    let context = ModelContext(try memory(Schema([Trip.self])))
    let trip = Trip(name: "Rome")
    context.insert(trip)
    trip.setValue(forKey: \.hasChanges, to: false)
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.subject.hasPrefix("Trip, ") == true)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Trip>()) == [trip])
  }

  @Test func `a schema is put together from the entities of others`() throws {
    let whole = Schema([Trip.self])
    let names = whole.entities.map(\.name)
    #expect(names == ["BucketListItem", "Lodging", "Trip"])
    let copy = Schema(whole.entities[2], whole.entities[0], whole.entities[1])
    #expect(copy == whole)
    let context = ModelContext(try memory(copy))
    context.insert(Trip(name: "Rome"))
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Rome"])
  }

  @Test func `a schema that lacks a related entity is refused by its container`() throws {
    let trip = try #require(Schema([Trip.self]).entitiesByName["Trip"])
    let error = #expect(throws: StoreError.self) { try memory(Schema(trip)) }
    #expect(error?.failures.map(\.message).contains { $0.contains("BucketListItem") } == true)
  }

  @Test func `an entity tells what it declares and what it inherits by name`() throws {
    let truck = try #require(Schema([Vehicle.self, Truck.self]).entitiesByName["Truck"])
    #expect(truck.storedPropertiesByName.keys.sorted() == truck.storedProperties.map(\.name))
    #expect(truck.inheritedPropertiesByName.keys.sorted() == truck.inheritedProperties.map(\.name))
    #expect(!truck.inheritedPropertiesByName.isEmpty)
  }
}
