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
}
