import Contrail
import Testing

@Suite("A context")
struct ContextTests {
  @Test func `a rollback drops all that was inserted, changed and deleted since the save`() throws {
    let context = ModelContext(try memory(Trip.self))
    let (rome, oslo) = (Trip(name: "Rome"), Trip(name: "Oslo"))
    context.insert(rome)
    context.insert(oslo)
    try context.save()
    rome.destination = "Italy"
    context.delete(oslo)
    context.insert(Trip(name: "Bern"))
    #expect(context.hasChanges)
    #expect(context.changedModelsArray.count == 1)
    #expect(context.deletedModelsArray.count == 1)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(rome.destination == "")
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 2)
  }

  @Test func `a transaction saves what its block did, or nothing if the block throws`() throws {
    struct Stop: Error {}
    let context = ModelContext(try memory(Trip.self))
    try context.transaction { context.insert(Trip(name: "Rome")) }
    #expect(!context.hasChanges)
    #expect(throws: Stop.self) {
      try context.transaction {
        context.insert(Trip(name: "Oslo"))
        throw Stop()
      }
    }
    #expect(try context.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Rome"])
  }

  @Test func `deleting by a predicate and saving deletes what matches, and nothing else`() throws {
    let context = ModelContext(try memory(Trip.self))
    for name in ["Rome", "Oslo", "Riga"] { context.insert(Trip(name: name)) }
    try context.save()
    try context.delete(model: Trip.self, where: #Predicate { $0.name.starts(with: "R") })
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Oslo"])
  }

  @Test func `a context saves models in the stores whose schemas have their types`() throws {
    let folder = try TemporaryFolder()
    let configurations = [
      ModelConfiguration("vehicles", schema: Schema([Garage.self]), url: folder.file("a.store")),
      ModelConfiguration("trips", schema: Schema([Trip.self]), url: folder.file("b.store")),
    ]
    let container = try ModelContainer(
      for: Schema([Garage.self, Trip.self]), configurations: configurations)
    let context = ModelContext(container)
    context.insert(Trip(name: "Rome"))
    context.insert(Garage(street: "Main Street"))
    try context.save()
    let names = try ["a.store", "b.store"].map { name in
      try ModelContainer(
        for: Schema(name == "a.store" ? [Garage.self] : [Trip.self]),
        configurations: ModelConfiguration(url: folder.file(name)))
    }
    #expect(try ModelContext(names[0]).fetchCount(FetchDescriptor<Garage>()) == 1)
    #expect(try ModelContext(names[1]).fetchCount(FetchDescriptor<Trip>()) == 1)
  }

  @Test func `a store that allows no saving is read, and refuses to be saved`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("trips.store")
    do {
      let context = ModelContext(
        try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url)))
      context.insert(Trip(name: "Rome"))
      try context.save()
    }
    let container = try ModelContainer(
      for: Trip.self, configurations: ModelConfiguration(url: url, allowsSave: false))
    let context = ModelContext(container)
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
    context.insert(Trip(name: "Oslo"))
    #expect(throws: StoreError.self) { try context.save() }
  }

  @Test func `inserting a model of another context is an error of the next save only`() throws {
    let (first, second) = (
      ModelContext(try memory(Trip.self)), ModelContext(try memory(Trip.self))
    )
    let trip = Trip(name: "Rome")
    first.insert(trip)
    second.insert(trip)
    let error = #expect(throws: StoreError.self) { try second.save() }
    #expect(error?.code == .otherContext)
    #expect(error?.subject == "Trip")
    try second.save()
  }

  @Test func `an identifier finds a model in its context and in one that never read it`() throws {
    let container = try memory(Trip.self)
    let context = ModelContext(container)
    let trip = Trip(name: "Rome")
    context.insert(trip)
    let registered: Trip? = context.registeredModel(for: trip.persistentModelID)
    #expect(registered === trip)
    try context.save()
    let identifier = trip.persistentModelID
    let other = ModelContext(container)
    let nobody: Trip? = other.registeredModel(for: identifier)
    #expect(nobody == nil)
    #expect((other.model(for: identifier) as? Trip)?.name == "Rome")
    #expect(try other.fetchIdentifiers(FetchDescriptor<Trip>()) == [identifier])
  }

  @Test func `batches give every model, and fetching them is refused with unsaved changes`() throws
  {
    let context = ModelContext(try memory(Trip.self))
    for number in 0..<25 { context.insert(Trip(name: "Trip \(number)")) }
    #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
      try context.fetch(FetchDescriptor<Trip>(), batchSize: 10)
    }
    try context.save()
    let found = try context.fetch(FetchDescriptor<Trip>(), batchSize: 10)
    #expect(found.count == 25)
    #expect(Set(found.map(\.name)).count == 25)
    var names: [String] = []
    try context.enumerate(FetchDescriptor<Trip>(), batchSize: 4) { names.append($0.name) }
    #expect(names.count == 25)
  }

  @Test func `identifiers are refused in batches below one, and enumerating counts what is saved`()
    throws
  {
    let context = ModelContext(try memory(Trip.self))
    for number in 0..<3 { context.insert(Trip(name: "Trip \(number)")) }
    try context.save()
    #expect(throws: (any Error).self) {
      try context.fetchIdentifiers(FetchDescriptor<Trip>(), batchSize: 0)
    }
    #expect(try context.fetchIdentifiers(FetchDescriptor<Trip>(), batchSize: 2).count == 3)
    context.insert(Trip(name: "Trip 9"))
    // SQL cannot be asked for a property that is computed by the program.
    var order = FetchDescriptor<Trip>(sortBy: [
      SortDescriptor(\.nameLength), SortDescriptor(\.name),
    ])
    order.includePendingChanges = false
    var names: [String] = []
    try context.enumerate(order) { names.append($0.name) }
    #expect(names == ["Trip 0", "Trip 1", "Trip 2"])
  }

  @Test func `enumerating is refused where unsaved changes are meant but not allowed`() throws {
    let context = ModelContext(try memory(Trip.self))
    for number in 0..<3 { context.insert(Trip(name: "Trip \(number)")) }
    try context.save()
    context.insert(Trip(name: "Trip 9"))
    var order = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
    var names: [String] = []
    #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
      try context.enumerate(order) { names.append($0.name) }
    }
    #expect(names == [])
    try context.enumerate(order, allowEscapingMutations: true) { names.append($0.name) }
    #expect(names == ["Trip 0", "Trip 1", "Trip 2", "Trip 9"])
    order.includePendingChanges = false
    names = []
    // What was changed before is not what the block leaves.
    try context.enumerate(order, batchSize: 1) { names.append($0.name) }
    #expect(names == ["Trip 0", "Trip 1", "Trip 2"])
  }

  @Test func `enumerating ends where the block leaves changes that are not allowed`()
    throws
  {
    let context = ModelContext(try memory(Trip.self))
    for number in 0..<5 { context.insert(Trip(name: "Trip \(number)")) }
    try context.save()
    let order = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
    var count = 0
    func rate(_ trip: Trip) {
      trip.rating = (trip.rating ?? 0) + 1
      count += 1
    }
    let error = #expect(throws: StoreError.self) {
      try context.enumerate(order, batchSize: 2, block: rate)
    }
    #expect(count == 2)
    #expect(
      error?.description.contains(
        "was enumerated with changes that are not saved, which keep their models in memory") == true
    )
    context.rollback()
    #expect(throws: StoreError.self) { try context.enumerate(order, block: rate) }
    context.rollback()
    try context.enumerate(order, batchSize: 2, allowEscapingMutations: true, block: rate)
    try context.save()
    try context.enumerate(order, batchSize: 2) { trip in
      rate(trip)
      try context.save()
    }
    #expect(try context.fetch(order).map(\.rating) == [2, 2, 2, 2, 2])
  }

  @Test func `a save tells its listeners the identifier of what was inserted`() throws {
    let context = ModelContext(try memory(Trip.self))
    let heard = Counter()
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { note in
      let key = ModelContext.NotificationKey.insertedIdentifiers.rawValue
      heard.count += (note.userInfo?[key] as? [PersistentIdentifier])?.count ?? 0
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.insert(Trip(name: "Rome"))
    try context.save()
    #expect(heard.count == 1)
  }

  @Test func `the initializer of a context can be used as a function of a container`() throws {
    let make: @Sendable (ModelContainer) -> ModelContext = ModelContext.init
    let container = try memory(Trip.self)
    let context = make(container)
    context.insert(Trip(name: "Rome"))
    try context.save()
    #expect(try [container].map(ModelContext.init)[0].fetchCount(FetchDescriptor<Trip>()) == 1)
  }

  @Test func `a context without isolation cannot be set to save by itself`() throws {
    let context = ModelContext(try memory(Trip.self), isolation: nil)
    context.autosaveEnabled = true
    #expect(!context.autosaveEnabled)
  }

  @Test func `history is fetched by order and limit, and deleted but for the newest`() throws {
    let context = ModelContext(try memory(Trip.self))
    for author in ["a", "b", "c"] {
      context.author = author
      context.insert(Trip(name: author))
      try context.save()
    }
    func authors(_ order: SortOrder?, _ limit: UInt64) throws -> [String?] {
      var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
        sortBy: order.map { [SortDescriptor(\.transactionIdentifier, order: $0)] } ?? [])
      descriptor.fetchLimit = limit
      return try context.fetchHistory(descriptor).map(\.author)
    }
    #expect(try authors(.reverse, 1) == ["c"])
    #expect(try authors(.reverse, 0) == ["c", "b", "a"])
    #expect(try authors(.forward, 2) == ["a", "b"])
    #expect(try authors(nil, 1) == ["a"])
    try context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == "a" }))
    #expect(try authors(nil, 0) == ["b", "c"])
    var one = HistoryDescriptor<DefaultHistoryTransaction>()
    one.fetchLimit = 1
    context.insert(Trip(name: "d"))
    try context.save()
    try context.deleteHistory(one)
    #expect(try authors(nil, 0) == ["c", "c"])
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    // The newest is always kept.
    #expect(try authors(nil, 0) == ["c"])
  }

  @Test func `asking for history behind a token is an error once some of it is deleted`() throws {
    let container = try memory(Trip.self)
    let context = ModelContext(container)
    var tokens: [DefaultHistoryToken] = []
    for name in ["Rome", "Oslo", "Bern"] {
      context.insert(Trip(name: name))
      try context.save()
      let last = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last
      tokens.append(try #require(last).token)
    }
    let (first, second) = (tokens[0], tokens[1])
    func behind(_ token: DefaultHistoryToken) throws -> Int {
      try context.fetchHistory(
        HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
      ).count
    }
    #expect(try behind(first) == 2)
    #expect(try behind(second) == 1)
    try context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= second }))
    #expect(try behind(second) == 1)
    let error = #expect(throws: (any Error).self) { try behind(first) }
    #expect(SwiftDataError.historyTokenExpired ~= (try #require(error)))
  }

  @Test func `predicates find transactions by author, by having none, and by time`() throws {
    let context = ModelContext(try memory(Trip.self))
    for author in ["a", "b", nil, "a"] {
      context.author = author
      context.insert(Trip(name: UUID().uuidString))
      try context.save()
    }
    func authors(
      _ predicate: Predicate<DefaultHistoryTransaction>
    ) throws -> [String?] {
      try context.fetchHistory(HistoryDescriptor(predicate: predicate)).map(\.author)
    }
    let (a, nobody) = ("a", String?.none)
    let (past, future) = (Date.distantPast, Date.distantFuture)
    #expect(try authors(#Predicate { $0.author == a }) == ["a", "a"])
    #expect(try authors(#Predicate { $0.author == a && $0.author == nobody }) == [])
    #expect(try authors(#Predicate { $0.author == nobody }) == [nil])
    #expect(try authors(#Predicate { $0.author != a }) == ["b", nil])
    #expect(try authors(#Predicate { $0.author == a || $0.timestamp > past }).count == 4)
    #expect(
      try authors(#Predicate { $0.author == a && $0.timestamp > past && $0.timestamp < future })
        == ["a", "a"])
    #expect(try authors(#Predicate { $0.timestamp < past }) == [])
    #expect(try authors(#Predicate { $0.timestamp > future }) == [])
  }

  @Test func `history tells what an author changed in a model, and what follows a token`() throws {
    let container = try memory(Trip.self)
    let context = ModelContext(container)
    context.author = "importer"
    let trip = Trip(name: "Rome")
    context.insert(trip)
    try context.save()
    trip.destination = "Italy"
    try context.save()
    let author = "importer"
    let history = try context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == author }))
    #expect(history.count == 2)
    guard case .update(let update)? = history.last?.changes.first else {
      Issue.record("no update")
      return
    }
    #expect(update.changedPersistentIdentifier == trip.persistentModelID)
    #expect((update as? DefaultHistoryUpdate<Trip>)?.updatedAttributes.count == 1)
    let token = try #require(history.first?.token)
    #expect(try context.fetchHistory(after: token).count == 1)
  }
}

@Suite("What others commit")
@MainActor
struct SharingTests {
  @Test func `the main context saves insertions by itself, and has no changes then`() async throws {
    let container = try memory(Trip.self)
    container.mainContext.insert(Trip(name: "Rome"))
    #expect(container.mainContext.autosaveEnabled)
    let other = ModelContext(container)
    while try other.fetchCount(FetchDescriptor<Trip>()) == 0 { await Task.yield() }
    #expect(!container.mainContext.hasChanges)
  }

  @Test func `results show what another context saved, and follow a new sort order`() async throws {
    let container = try memory(Trip.self)
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Trip.name)], modelContext: container.mainContext)
    #expect(observer.results.isEmpty)
    let other = ModelContext(container)
    other.insert(Trip(name: "Rome"))
    other.insert(Trip(name: "Bern"))
    try other.save()
    while observer.results.isEmpty { await Task.yield() }
    #expect(observer.results.map(\.name) == ["Bern", "Rome"])
    observer.sortBy = [SortDescriptor(\Trip.name, order: .reverse)]
    #expect(observer.results.map(\.name) == ["Rome", "Bern"])
  }

  @Test func `results are divided by a property into sections, and sorted in each`() throws {
    let container = try memory(Trip.self)
    let context = container.mainContext
    for (name, destination) in [("Rome", "Italy"), ("Oslo", "Norway"), ("Pisa", "Italy")] {
      context.insert(Trip(name: name, destination: destination))
    }
    try context.save()
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Trip.name)], sectionBy: \Trip.destination, modelContext: context)
    let shown = observer.sections?.map { "\($0.title): \($0.map(\.name).joined(separator: " "))" }
    #expect(shown == ["Italy: Pisa Rome", "Norway: Oslo"])
  }

  @Test func `results filtered or sorted by a computed property follow every change`() throws {
    let container = try memory(Trip.self)
    let context = container.mainContext
    for name in ["Rome", "Oslo", "Bern"] { context.insert(Trip(name: name)) }
    try context.save()
    let observer = try ResultsObserver(
      filterBy: #Predicate<Trip> { $0.tallName != "OSLO" }, sortBy: [SortDescriptor(\.tallName)],
      modelContext: context)
    #expect(observer.results.map(\.name) == ["Bern", "Rome"])
    let oslo = try #require(
      try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Oslo" })).first)
    oslo.name = "Arles"
    #expect(observer.results.map(\.name) == ["Arles", "Bern", "Rome"])
    let other = ModelContext(container)
    other.insert(Trip(name: "Zug"))
    try other.save()
    context.processPendingChanges()
    #expect(observer.results.map(\.name) == ["Arles", "Bern", "Rome", "Zug"])
    observer.filterBy = #Predicate { $0.name != "Zug" }
    observer.sortBy = []
    #expect(Set(observer.results.map(\.name)) == ["Arles", "Bern", "Rome"])
    observer.update {
      $0.predicate = #Predicate { $0.tallName == "ZUG" }
    }
    #expect(observer.results.map(\.name) == ["Zug"])
  }

  @Test func `results and sections follow changes of related models that the filter reads`() throws
  {
    let container = try memory(Trip.self)
    let context = container.mainContext
    let (rome, oslo) = (Trip(name: "Rome"), Trip(name: "Oslo"))
    for trip in [rome, oslo] {
      context.insert(trip)
      trip.items.append(BucketListItem(title: "walk"))
    }
    try context.save()
    let observer = try ResultsObserver(
      filterBy: #Predicate<Trip> { $0.firstTitle == "walk" }, sortBy: [SortDescriptor(\.name)],
      sectionBy: \.name, modelContext: context)
    #expect(observer.results.map(\.name) == ["Oslo", "Rome"])
    rome.items[0].title = "swim"
    #expect(observer.results.map(\.name) == ["Oslo"])
    #expect(observer.sections?.map(\.title) == ["Oslo"])
  }

  @Test func `a history observer counts a save of another context as one event`() throws {
    let container = try memory(Trip.self)
    let observer = try HistoryObserver(observedModels: [Trip.self], modelContainer: container)
    #expect(observer.eventCounter == 0)
    let other = ModelContext(container)
    other.insert(Trip(name: "Rome"))
    try other.save()
    #expect(observer.eventCounter == 1)
  }

  @Test func `a model shows what another context saved, and tells its observers once`() throws {
    let container = try memory(Trip.self)
    let context = container.mainContext
    let trip = Trip(name: "Rome")
    context.insert(trip)
    try context.save()
    let fired = Counter()
    withObservationTracking {
      _ = trip.destination
    } onChange: {
      fired.count += 1
    }
    let other = ModelContext(container)
    try #require(try other.fetch(FetchDescriptor<Trip>()).first).destination = "Italy"
    try other.save()
    context.processPendingChanges()
    #expect(fired.count == 1)
    #expect(trip.destination == "Italy")
  }
}

extension Trip {
  /// A property that no store has.
  fileprivate var nameLength: Int { name.count }
}
