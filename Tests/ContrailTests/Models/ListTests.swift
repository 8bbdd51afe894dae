import Contrail
import Testing

@Suite struct ListTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try memory(Trip.self)
    context = ModelContext(container)
    let trip = Trip(name: "Rome")
    context.insert(trip)
    for number in 0..<20 { trip.items.append(BucketListItem(title: "\(number)")) }
    try context.save()
  }

  private func trip(_ name: String, _ context: ModelContext) throws -> Trip {
    let descriptor = FetchDescriptor<Trip>(predicate: #Predicate { $0.name == name })
    return try #require(try context.fetch(descriptor).first)
  }

  /// The titles of Rome's items as the store has them.
  private func storedTitles() throws -> [String] {
    let other = ModelContext(container)
    return try withExtendedLifetime(other) { try trip("Rome", other).items.map(\.title) }
  }

  @Test func `Models that are appended one by one stay in that order`() throws {
    let titles = (0..<20).map(String.init)
    #expect(try trip("Rome", context).items.map(\.title) == titles)
    #expect(try storedTitles() == titles)
  }

  @Test func `Appending changes no model but the one that is new`() throws {
    let context = ModelContext(container)
    let rome = try trip("Rome", context)
    rome.items.append(BucketListItem(title: "new"))
    #expect(context.insertedModelsArray.count == 1)
    #expect(context.changedModelsArray.isEmpty)
    #expect(rome.items.last?.trip == rome)
    try context.save()
    #expect(try storedTitles().last == "new")
  }

  @Test func `A model that is appended elsewhere leaves the list that it was in`() throws {
    let context = ModelContext(container)
    let rome = try trip("Rome", context)
    let oslo = Trip(name: "Oslo")
    context.insert(oslo)
    oslo.items.append(rome.items[3])
    #expect(oslo.items.map(\.title) == ["3"])
    #expect(rome.items.count == 19)
    try context.save()
    #expect(try storedTitles().count == 19)
  }

  @Test func `A model that is appended a second time is in the list once, where it was`() throws {
    let rome = try trip("Rome", context)
    rome.items.append(rome.items[0])
    #expect(rome.items.map(\.title) == (0..<20).map(String.init))
  }

  @Test func `Appending goes on where a member is deleted and not saved yet`() throws {
    let rome = try trip("Rome", context)
    context.delete(rome.items[19])
    rome.items.append(BucketListItem(title: "new"))
    #expect(rome.items.map(\.title) == (0..<19).map(String.init) + ["new"])
    try context.save()
    #expect(
      try storedTitles()
        == (0..<19).map(String.init) + ["new"])
  }

  @Test func `A list that is set again keeps its order, and one in another order gets that`() throws
  {
    let rome = try trip("Rome", context)
    let items = rome.items
    rome.items = items
    #expect(!context.hasChanges)
    rome.items = items.reversed() + [BucketListItem(title: "new")]
    try context.save()
    #expect(
      try storedTitles()
        == (0..<20).reversed().map(String.init) + ["new"])
  }
}
