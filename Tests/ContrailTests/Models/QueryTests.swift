import Testing

@testable import Contrail

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

  @Test func `texts are sorted as people read them, in the store and in memory`()
    throws
  {
    let names = ["Banana", "item 10", "apple", "Item 2", "\u{e9}clair", "zoo", "item 02"]
    let context = ModelContext(try memory(Trip.self))
    for name in names { context.insert(Trip(name: name)) }
    let pending = try sorted(context)
    try context.save()
    let stored = try sorted(context)
    #expect(
      stored == [
        ["Banana", "Item 2", "apple", "item 02", "item 10", "zoo", "\u{e9}clair"],
        ["apple", "Banana", "\u{e9}clair", "item 02", "item 10", "Item 2", "zoo"],
        ["apple", "Banana", "\u{e9}clair", "item 02", "Item 2", "item 10", "zoo"],
        ["zoo", "item 10", "Item 2", "item 02", "\u{e9}clair", "Banana", "apple"],
      ])
    #expect(pending == stored)
    let memory = try context.fetch(FetchDescriptor<Trip>())
    #expect(orders.map { memory.sorted(using: $0).map(\.name) } == stored)
  }

  private var orders: [SortDescriptor<Trip>] {
    [
      SortDescriptor(\.name, comparator: .lexical), SortDescriptor(\.name, comparator: .localized),
      SortDescriptor(\.name, comparator: .localizedStandard),
      SortDescriptor(
        \.name, comparator: String.StandardComparator.localizedStandard, order: .reverse),
    ]
  }

  /// The names of all trips in each of the orders.
  private func sorted(_ context: ModelContext) throws -> [[String]] {
    try orders.map { try context.fetch(FetchDescriptor<Trip>(sortBy: [$0])).map(\.name) }
  }

  @Test func `an order as people read is the store's work, also by the text of a related model`()
    throws
  {
    let order = SortDescriptor(\Trip.name, comparator: .localizedStandard)
    #expect(try DescriptorPlan(FetchDescriptor(sortBy: [order])).isWhole)
    #expect(order == SortDescriptor(\Trip.name, comparator: .localizedStandard))
    #expect(order != SortDescriptor(\Trip.name, comparator: .localized))
    let context = try context()
    let byTrip = [
      SortDescriptor(\BucketListItem.trip?.name, comparator: .localizedStandard, order: .reverse),
      SortDescriptor(\BucketListItem.title, comparator: .localized),
    ]
    #expect(
      try context.fetch(FetchDescriptor(sortBy: byTrip)).map(\.title)
        == ["Forum", "Pantheon", "Opera"])
    #expect(["b", "A", "a2", "a10"].sorted(using: .localizedStandard) == ["A", "a2", "a10", "b"])
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
