import Contrail
import Synchronization
import Testing

@Suite("The names of stores and of places in their history")
struct StoreNameTests {
  @Test func `a store is found by its configuration's name, and the other way round`() throws {
    let container = try ModelContainer(
      for: Schema([Trip.self, Tagged.self]),
      configurations: [
        ModelConfiguration("trips", schema: Schema([Trip.self]), isStoredInMemoryOnly: true),
        ShelfConfiguration(name: "shelf", schema: Schema([Tagged.self]), shelf: Shelf()),
      ] as [any DataStoreConfiguration])
    let context = ModelContext(container)
    let (rome, tagged) = (Trip(name: "Rome"), Tagged(1, nil))
    context.insert(rome)
    context.insert(tagged)
    try context.save()
    #expect(
      ["trips", "shelf", "other"].map { container.storeIdentifier(forConfigurationNamed: $0) }
        == [rome.persistentModelID.storeIdentifier, "shelf", nil])
    let identifiers = [rome.persistentModelID, tagged.persistentModelID].map {
      $0.storeIdentifier ?? ""
    }
    #expect(
      identifiers.map { container.configurationName(forStoreIdentifier: $0) } == ["trips", "shelf"])
    #expect(container.configurationName(forStoreIdentifier: "other") == nil)
  }

  @Test func `an identifier is temporary until its model is saved`() throws {
    let context = ModelContext(try memory(Trip.self))
    let rome = Trip(name: "Rome")
    context.insert(rome)
    #expect(rome.persistentModelID.isTemporary)
    try context.save()
    #expect(!rome.persistentModelID.isTemporary)
    #expect(
      try !PersistentIdentifier.identifier(for: "shelf", entityName: "Trip", primaryKey: 1)
        .isTemporary)
  }

  /// The token that the notification of a save has.
  private func token(of context: ModelContext) throws -> (any HistoryToken)? {
    let found = Mutex<(any HistoryToken)?>(nil)
    let name = ModelContext.NotificationKey.historyTokens.rawValue
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { notification in
      let token = notification.userInfo?[name] as? any HistoryToken
      found.withLock { $0 = token }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.save()
    return found.withLock { $0 }
  }

  @Test func `a save tells the place in history after which only later ones are`() throws {
    let container = try memory(Trip.self)
    let context = ModelContext(container)
    context.insert(Trip(name: "Rome"))
    let token = try #require(try token(of: context) as? DefaultHistoryToken)
    #expect(
      container.configurationName(forStoreIdentifier: token.storeIdentifier) == "default")
    context.author = "later"
    context.insert(Trip(name: "Oslo"))
    try context.save()
    let after = HistoryDescriptor<DefaultHistoryTransaction>(
      predicate: #Predicate { $0.token > token })
    #expect(try context.fetchHistory(after).map(\.author) == ["later"])
    let copy = try JSONDecoder().decode(
      DefaultHistoryToken.self, from: JSONEncoder().encode(token))
    #expect(copy == token)
  }

  @Test func `a store that somebody else wrote tells its own place in history`() throws {
    let shelf = Shelf()
    let context = ModelContext(
      try ModelContainer(
        for: Trip.self, configurations: ShelfConfiguration(name: "shelf", shelf: shelf)))
    for number in 1...2 {
      context.insert(Trip(name: "\(number)"))
      #expect(try token(of: context) as? ShelfEntry.Token == ShelfEntry.Token(tokenValue: number))
    }
  }

  @Test func `an observer of history says what it was asked for`() throws {
    let container = try memory(Trip.self)
    let observer = try HistoryObserver(
      observedModels: [Trip.self], authors: ["ann"], modelContainer: container)
    #expect(observer.modelContainer == container)
    #expect(observer.observedModels.map { ObjectIdentifier($0) } == [ObjectIdentifier(Trip.self)])
    #expect(observer.authors == ["ann"])
  }
}

@Suite("What a debugger shows")
struct DescriptionTests {
  @Test func `a context shows what is to be saved, and a schema what it has`() throws {
    let container = try memory(Trip.self)
    let context = ModelContext(container)
    #expect(context.debugDescription == "ModelContext: no changes")
    context.author = "ann"
    for name in ["Rome", "Oslo"] { context.insert(Trip(name: name)) }
    #expect(context.debugDescription == "ModelContext of ann: 2 inserted")
    #expect(
      container.schema.debugDescription == "Schema 1.0.0: BucketListItem, Lodging, Trip")
    let item = try #require(container.schema.entitiesByName["BucketListItem"])
    #expect(item.debugDescription == "BucketListItem (isDone, title, trip)")
    #expect(item.attributesByName["title"]?.debugDescription == "title: String")
    let trip = try #require(container.schema.entitiesByName["Trip"])
    #expect(
      trip.relationshipsByName["items"]?.debugDescription
        == "items: [BucketListItem], cascade, inverse trip")
    #expect(
      container.configurations.first?.debugDescription == "ModelConfiguration default at memory")
  }
}
