import Contrail
import Testing

@Suite("Predicates over models")
struct QueryTests {
  private func context() throws -> ModelContext {
    let context = ModelContext(try memory(Trip.self))
    for (name, titles) in [("Rome", ["Forum", "Pantheon"]), ("Oslo", ["Opera"]), ("Bern", [])] {
      let trip = Trip(name: name)
      context.insert(trip)
      trip.items = titles.map { BucketListItem(title: $0) }
    }
    try context.save()
    return context
  }

  private func names(
    _ context: ModelContext, _ predicate: Predicate<Trip>
  ) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)]))
      .map(\.name)
  }

  @Test func `models are found by a related identifier, or by a list of identifiers`() throws {
    let context = try context()
    let rome = try #require(
      try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" })).first)
    let identifier = rome.persistentModelID
    let byIdentifier = FetchDescriptor<BucketListItem>(
      predicate: #Predicate { $0.trip?.persistentModelID == identifier },
      sortBy: [SortDescriptor(\.title)])
    #expect(try context.fetch(byIdentifier).map(\.title) == ["Forum", "Pantheon"])
    let identifiers = [identifier]
    #expect(
      try names(context, #Predicate { identifiers.contains($0.persistentModelID) }) == ["Rome"])
  }

  @Test func `a predicate may count related models, look for one, or ask one for a value`() throws {
    let context = try context()
    #expect(try names(context, #Predicate { $0.items.isEmpty }) == ["Bern"])
    #expect(try names(context, #Predicate { $0.items.count >= 1 }) == ["Oslo", "Rome"])
    #expect(
      try names(context, #Predicate { $0.items.contains { $0.title == "Opera" } }) == ["Oslo"])
    let descriptor = FetchDescriptor<BucketListItem>(
      predicate: #Predicate { $0.trip?.name == "Oslo" })
    #expect(try context.fetch(descriptor).map(\.title) == ["Opera"])
  }

  @Test func `a search for a text that is contained ignores case and accents`() throws {
    let context = try context()
    #expect(try names(context, #Predicate { $0.name.localizedStandardContains("RÓM") }) == ["Rome"])
  }

  @Test func `unsaved changes are found unless the descriptor leaves them out`() throws {
    let context = try context()
    try #require(
      try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Bern" })).first
    )
    .name = "Basel"
    context.insert(Trip(name: "Riga"))
    #expect(try names(context, #Predicate { $0.name > "" }) == ["Basel", "Oslo", "Riga", "Rome"])
    var stored = FetchDescriptor<Trip>()
    stored.includePendingChanges = false
    #expect(try context.fetchCount(stored) == 3)
  }

  @Test func `limit and offset hold for what a computed property filters, and its count`() throws {
    let context = try context()
    var descriptor = FetchDescriptor<Trip>(
      predicate: #Predicate { $0.tallName != "OSLO" }, sortBy: [SortDescriptor(\.name)])
    descriptor.fetchOffset = 1
    descriptor.fetchLimit = 5
    #expect(try context.fetch(descriptor).map(\.name) == ["Rome"])
    #expect(try context.fetchCount(descriptor) == 1)
  }

  @Test func `limit and offset hold for the count of what a computed property sorts`() throws {
    let context = try context()
    var descriptor = FetchDescriptor<Trip>(
      predicate: #Predicate { $0.name != "Oslo" }, sortBy: [SortDescriptor(\.tallName)])
    descriptor.fetchLimit = 1
    #expect(try context.fetch(descriptor).map(\.name) == ["Bern"])
    #expect(try context.fetchCount(descriptor) == 1)
    descriptor.fetchLimit = nil
    descriptor.fetchOffset = 2
    #expect(try context.fetchCount(descriptor) == 0)
  }

  @Test func `descriptors are equal only with the same predicate, values and limit`() {
    func descriptor(_ name: String) -> FetchDescriptor<Trip> {
      FetchDescriptor(predicate: #Predicate { $0.name == name }, sortBy: [SortDescriptor(\.name)])
    }
    var limited = descriptor("Rome")
    #expect(limited == descriptor("Rome"))
    #expect(limited != descriptor("Oslo"))
    #expect(limited != FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
    limited.fetchLimit = 1
    #expect(limited != descriptor("Rome"))
  }

  @Test func `a predicate tells a computed identifier from that of the model itself`() throws {
    let context = try context()
    let rome = try #require(
      try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" })).first)
    let identifier = rome.persistentModelID
    let computed = FetchDescriptor<BucketListItem>(
      predicate: #Predicate { $0.tripID == identifier }, sortBy: [SortDescriptor(\.title)])
    #expect(try context.fetch(computed).map(\.title) == ["Forum", "Pantheon"])
    #expect(try context.fetchCount(computed) == 2)
    #expect(try names(context, #Predicate { $0.persistentModelID == identifier }) == ["Rome"])
    #expect(try names(context, #Predicate { $0.id == identifier }) == ["Rome"])
    #expect(try context.fetch(own(identifier, Trip.self)).map(\.name) == ["Rome"])
  }

  /// What code for any model writes.
  private func own<Model: PersistentModel>(
    _ identifier: PersistentIdentifier, _ type: Model.Type
  ) -> FetchDescriptor<Model> {
    FetchDescriptor(predicate: #Predicate { $0.persistentModelID == identifier })
  }

  @Test func `a new model with a unique value that exists updates the one that has it`() throws {
    let context = try context()
    context.insert(Trip(name: "Rome", destination: "Italy"))
    try context.save()
    let found = try context.fetch(
      FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" }))
    #expect(found.map(\.destination) == ["Italy"])
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 3)
  }
}

extension Trip {
  /// What no column holds.
  var tallName: String { name.uppercased() }
  var firstTitle: String { items.first?.title ?? "" }
}

extension BucketListItem {
  fileprivate var tripID: PersistentIdentifier { trip?.persistentModelID ?? persistentModelID }
}
