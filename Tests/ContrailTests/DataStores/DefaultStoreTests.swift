import Contrail
import Testing

@Suite("Our store, within one that somebody else wrote")
struct DefaultStoreTests {
  /// A store that hands all to ours, and writes down what it hands on.
  final class Wrapper: DataStore, DataStoreBatching, HistoryProviding {
    typealias Snapshot = DefaultSnapshot
    let configuration: WrapperConfiguration
    let base: DefaultStore

    init(
      _ configuration: WrapperConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws {
      self.configuration = configuration
      base = try DefaultStore(
        ModelConfiguration(
          configuration.name, schema: configuration.schema, url: configuration.url),
        migrationPlan: migrationPlan)
    }

    var identifier: String { base.identifier }
    var schema: Schema { base.schema }

    func fetch<T: PersistentModel>(
      _ request: DataStoreFetchRequest<T>
    ) throws -> DataStoreFetchResult<T, DefaultSnapshot> { try base.fetch(request) }

    func save(
      _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> { try base.save(request) }

    func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
      try base.delete(request)
    }

    static var historyType: DefaultHistoryTransaction.Type { DefaultStore.historyType }

    func fetchHistory(
      _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) throws -> [DefaultHistoryTransaction] { try base.fetchHistory(descriptor) }

    func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
      try base.deleteHistory(descriptor)
    }
  }

  struct WrapperConfiguration: DataStoreConfiguration {
    typealias Store = Wrapper
    var name: String
    var schema: Schema?
    var url: URL
  }

  @Test
  func `it saves, deletes by predicates and has a history, with the authors of those who do so`()
    throws
  {
    let folder = try TemporaryFolder()
    let configuration = WrapperConfiguration(name: "trips", url: folder.file("trips.store"))
    let container = try ModelContainer(for: Trip.self, configurations: configuration)
    let context = ModelContext(container)
    context.author = "ann"
    for name in ["Rome", "Oslo", "Riga"] { context.insert(Trip(name: name)) }
    try context.save()
    context.author = "ben"
    try context.delete(model: Trip.self, where: #Predicate { $0.name.starts(with: "R") })
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.name) == ["Oslo"])
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.map(\.author) == ["ann", "ben"])
    #expect(history.map(\.changes.count) == [3, 2])
    #expect(
      container.configurationName(forStoreIdentifier: try #require(history.first).storeIdentifier)
        == "trips")
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    // The newest is always kept.
    #expect(
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.author)
        == ["ben"])
  }
}
