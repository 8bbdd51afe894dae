import Contrail
import Testing

/// A store of one JSON file that is written whole, as somebody else might write it.
final class PageStore: DataStore {
  typealias Snapshot = DefaultSnapshot
  let configuration: PageConfiguration
  let schema: Schema
  var identifier: String { configuration.file.lastPathComponent }

  init(_ configuration: PageConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    DataStoreFetchResult(
      descriptor: request.descriptor,
      fetchedSnapshots: try read().filter {
        $0.persistentIdentifier.entityName == Schema.entityName(for: T.self)
      })
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var pages: [PersistentIdentifier: DefaultSnapshot] = [:]
    for page in try read() { pages[page.persistentIdentifier] = page }
    var names: [PersistentIdentifier: PersistentIdentifier] = [:]
    for (number, page) in request.inserted.enumerated() {
      names[page.persistentIdentifier] = try .identifier(
        for: identifier, entityName: page.persistentIdentifier.entityName,
        primaryKey: pages.count + number)
    }
    for page in request.inserted + request.updated {
      let name = names[page.persistentIdentifier] ?? page.persistentIdentifier
      pages[name] = page.copy(persistentIdentifier: name, remappedIdentifiers: names)
    }
    for page in request.deleted { pages[page.persistentIdentifier] = nil }
    try JSONEncoder().encode(Array(pages.values)).write(to: configuration.file)
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: names)
  }

  func read() throws -> [DefaultSnapshot] {
    guard FileManager.default.fileExists(atPath: configuration.file.path) else { return [] }
    return try JSONDecoder().decode(
      [DefaultSnapshot].self, from: Data(contentsOf: configuration.file))
  }
}

struct PageConfiguration: DataStoreConfiguration {
  typealias Store = PageStore
  var name: String
  var schema: Schema?
  var file: URL
}

@Suite("A store that somebody else wrote")
struct JSONStoreTests {
  private func container(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: Trip.self,
      configurations: PageConfiguration(name: "pages", file: folder.file("trips.json")))
  }

  @Test func `models, changes and relationships are read again from a JSON file`() throws {
    let folder = try TemporaryFolder()
    do {
      let context = ModelContext(try container(folder))
      let trip = Trip(name: "Rome", start: Date(timeIntervalSinceReferenceDate: 5))
      trip.rating = 4
      trip.items = [BucketListItem(title: "Forum"), BucketListItem(title: "Pantheon")]
      context.insert(trip)
      context.insert(Trip(name: "Oslo"))
      try context.save()
      trip.destination = "Italy"
      try context.save()
    }
    let context = ModelContext(try container(folder))
    let found = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    #expect(found.map(\.name) == ["Oslo", "Rome"])
    let rome = try #require(found.last)
    #expect(rome.destination == "Italy")
    #expect(rome.start == Date(timeIntervalSinceReferenceDate: 5))
    #expect(rome.rating == 4)
    #expect(rome.items.map(\.title) == ["Forum", "Pantheon"])
    #expect(rome.persistentModelID.storeIdentifier == "trips.json")
  }

  @Test func `a model names its store once saved, is found by identifier, and can be deleted`()
    throws
  {
    let folder = try TemporaryFolder()
    let container = try container(folder)
    let context = ModelContext(container)
    let trip = Trip(name: "Rome")
    context.insert(trip)
    #expect(trip.persistentModelID.storeIdentifier == nil)
    try context.save()
    let identifier = trip.persistentModelID
    let other = ModelContext(container)
    #expect(identifier.storeIdentifier == "trips.json")
    #expect(
      (other.model(for: identifier) as? Trip)?.persistentModelID == identifier)
    context.delete(trip)
    try context.save()
    #expect(try ModelContext(try self.container(folder)).fetchCount(FetchDescriptor<Trip>()) == 0)
  }

  @Test func `a batch update counts what matches and changes only that in the store`() throws {
    let folder = try TemporaryFolder()
    let context = ModelContext(try container(folder))
    for name in ["Rome", "Oslo", "Riga"] { context.insert(Trip(name: name)) }
    try context.save()
    let count = try context.updateBatch(
      Trip.self, where: #Predicate { $0.name.starts(with: "R") }, set: \.destination, to: "north")
    #expect(count == 2)
    let found = try ModelContext(try container(folder)).fetch(
      FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    #expect(found.map(\.destination) == ["", "north", "north"])
  }

  @Test func `a save that the store refuses throws, keeps the changes and stores nothing`() throws {
    let folder = try TemporaryFolder()
    let container = try container(folder)
    let context = ModelContext(container)
    try FileManager.default.createDirectory(
      at: folder.file("trips.json"), withIntermediateDirectories: true)
    context.insert(Trip(name: "Rome"))
    #expect(throws: (any Error).self) { try context.save() }
    #expect(context.hasChanges)
    try FileManager.default.removeItem(at: folder.file("trips.json"))
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 0)
  }
}
