import Contrail
import Synchronization
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

  private func container(in folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: Trip.self,
      configurations: WrapperConfiguration(name: "trips", url: folder.file("trips.store")))
  }

  @MainActor private func trip(_ container: ModelContainer) throws -> Trip {
    try #require(try container.mainContext.fetch(FetchDescriptor<Trip>()).first)
  }

  @Test @MainActor func `what is related stays so when only one end is saved`() throws {
    let folder = try TemporaryFolder()
    do {
      let container = try container(in: folder)
      let rome = Trip(name: "Rome")
      container.mainContext.insert(rome)
      rome.items = [BucketListItem(title: "Forum"), BucketListItem(title: "Opera")]
      try container.mainContext.save()
      rome.destination = "Italy"
      try container.mainContext.save()
      rome.items.append(BucketListItem(title: "Tiber"))
      try container.mainContext.save()
    }
    let again = try container(in: folder)
    let rome = try trip(again)
    #expect(rome.destination == "Italy")
    #expect(Set(rome.items.map(\.title)) == ["Forum", "Opera", "Tiber"])
  }

  @Test @MainActor func `its models are found by their identifiers, as it calls them`() throws {
    let folder = try TemporaryFolder()
    let container = try container(in: folder)
    let context = container.mainContext
    context.insert(Trip(name: "Rome"))
    try context.save()
    let again = ModelContext(try self.container(in: folder))
    let identifier = try trip(container).persistentModelID
    #expect((again.model(for: identifier) as? Trip)?.name == "Rome")
    let found = FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == identifier })
    #expect(try again.fetch(found).map(\.name) == ["Rome"])
    let registered: Trip? = again.registeredModel(for: identifier)
    #expect(registered?.name == "Rome")
    let change = try #require(
      try again.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).first?.changes.first)
    #expect((again.model(for: change.changedPersistentIdentifier) as? Trip)?.name == "Rome")
  }

  @Test @MainActor func `its history goes on from the place that a save told`() throws {
    let folder = try TemporaryFolder()
    let container = try container(in: folder)
    let context = container.mainContext
    context.insert(Trip(name: "Rome"))
    try context.save()
    let first = try #require(
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last)
    context.author = "later"
    context.insert(Trip(name: "Oslo"))
    try context.save()
    #expect(try context.fetchHistory(after: first.token).map(\.author) == ["later"])
  }

  @Test func `an edit of what somebody else has deleted is saved, as in our own store`() throws {
    let folder = try TemporaryFolder()
    let container = try container(in: folder)
    let (ann, ben) = (ModelContext(container), ModelContext(container))
    let rome = Trip(name: "Rome")
    ann.insert(rome)
    rome.items = [BucketListItem(title: "Forum")]
    try ann.save()
    ben.delete(try #require(try ben.fetch(FetchDescriptor<Trip>()).first))
    rome.destination = "Italy"
    try ben.save()
    try ann.save()
    #expect(
      try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.destination) == ["Italy"])
    let again = ModelContext(try self.container(in: folder))
    #expect(try again.fetch(FetchDescriptor<Trip>()).map(\.destination) == ["Italy"])
  }

  @Test func `a save is told of once, by the context that saves`() throws {
    let folder = try TemporaryFolder()
    let container = try container(in: folder)
    let context = ModelContext(container)
    let (told, own, author) = (Told(), ObjectIdentifier(context), "who is told of once")
    let observers = [ModelContext.willSave, ModelContext.didSave].map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
        guard let teller = note.object as? ModelContext else { return }
        // Other tests save, too.
        if teller.author == author { told.add(name, isSame: ObjectIdentifier(teller) == own) }
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    context.author = author
    context.insert(Trip(name: "Rome"))
    context.insert(Trip(name: "Oslo"))
    try context.save()
    try context.delete(model: Trip.self, where: #Predicate { $0.name == "Rome" })
    context.insert(Trip(name: "Riga"))
    try context.save()
    let once = [ModelContext.willSave, ModelContext.didSave].map {
      Told.One(name: $0, isSame: true)
    }
    #expect(told.all == once + once)
  }

  /// Who told of what, in order.
  private final class Told: Sendable {
    struct One: Equatable {
      let name: Notification.Name
      let isSame: Bool
    }

    private let list = Mutex<[One]>([])
    var all: [One] { list.withLock { $0 } }
    func add(_ name: Notification.Name, isSame: Bool) {
      list.withLock { $0.append(One(name: name, isSame: isSame)) }
    }
  }

  @Test func `a deletion by a predicate has the author of the save`() throws {
    let folder = try TemporaryFolder()
    let container = try container(in: folder)
    let context = ModelContext(container)
    context.insert(Trip(name: "Rome"))
    try context.save()
    try context.delete(model: Trip.self)
    context.author = "ben"
    try context.save()
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.map(\.author) == [nil, "ben"])
  }

  @Test func `a deletion by a predicate that no store can be asked for is carried out`() throws {
    let folder = try TemporaryFolder()
    let container = try container(in: folder)
    let context = ModelContext(container)
    for name in ["Rome", "Oslo"] { context.insert(Trip(name: name)) }
    try context.save()
    try context.delete(
      model: Trip.self, where: #Predicate { $0.timesViewed == 0 && $0.name == "Rome" })
    try context.save()
    let again = ModelContext(try self.container(in: folder))
    #expect(try again.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Oslo"])
  }

  @Test @MainActor func `the place of an observer names no store that nobody knows`() throws {
    let folder = try TemporaryFolder()
    let container = try container(in: folder)
    let observer = try HistoryObserver(modelContainer: container)
    container.mainContext.insert(Trip(name: "Rome"))
    try container.mainContext.save()
    let place = observer.historyToken
    #expect(place.tokenValue == [:])
    #expect(try container.mainContext.fetchHistory(after: place).map(\.changes.count) == [1])
  }
}
