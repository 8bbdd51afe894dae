import Contrail
import Testing

@Suite("Histories of two stores")
@MainActor
struct TwoHistoriesTests {
  typealias Descriptor = HistoryDescriptor<DefaultHistoryTransaction>

  /// A context over two stores, each with two saves, and the places of both stores' first saves.
  private func twoStores() throws -> (
    ModelContext, trips: DefaultHistoryToken, tags: DefaultHistoryToken
  ) {
    let container = try ModelContainer(
      for: Schema([Trip.self, Tagged.self]),
      configurations: [
        ModelConfiguration(
          "trips", schema: Schema([Trip.self]), isStoredInMemoryOnly: true),
        ModelConfiguration("tags", schema: Schema([Tagged.self]), isStoredInMemoryOnly: true),
      ])
    let context = container.mainContext
    context.author = "trips"
    for name in ["Rome", "Oslo"] {
      context.insert(Trip(name: name))
      try context.save()
    }
    context.author = "tags"
    for number in 1...2 {
      context.insert(Tagged(number, nil))
      try context.save()
    }
    let all = try context.fetchHistory(Descriptor())
    return (
      context, try #require(all.first { $0.author == "trips" }).token,
      try #require(all.first { $0.author == "tags" }).token
    )
  }

  @Test func `what is behind a place of one store is all that the other has, too`() throws {
    let (context, trips, tags) = try twoStores()
    for (place, expected) in [
      (trips, ["trips", "tags", "tags"]), (tags, ["trips", "trips", "tags"]),
    ] {
      let found = try context.fetchHistory(Descriptor(predicate: #Predicate { $0.token > place }))
      #expect(found.map(\.author) == expected)
      #expect(try context.fetchHistory(after: place) == found)
      let before = try context.fetchHistory(Descriptor(predicate: #Predicate { $0.token <= place }))
      #expect(before.map(\.token) == [place])
    }
  }

  @Test(arguments: ["trips", "tags"])
  func `what is dropped before a place of one store is nothing of the other`(store: String) throws {
    let (context, trips, tags) = try twoStores()
    let place = store == "trips" ? trips : tags
    try context.deleteHistory(Descriptor(predicate: #Predicate { $0.token <= place }))
    let kept = try context.fetchHistory(Descriptor()).map(\.author)
    #expect(
      kept == (store == "trips" ? ["trips", "tags", "tags"] : ["trips", "trips", "tags"]))
  }
}
