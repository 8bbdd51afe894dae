import Contrail
import Synchronization

/// A store that somebody else wrote, over a shelf that others fill too: it does itself what it can, and says
/// what it was asked.
final class ShelfStore: DataStore, DataStoreBatching, HistoryProviding {
  typealias Snapshot = DefaultSnapshot
  let configuration: ShelfConfiguration
  let schema: Schema
  var identifier: String { configuration.name }
  private var shelf: Shelf { configuration.shelf }

  init(_ configuration: ShelfConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    let descriptor = request.descriptor
    shelf.note("fetch \(descriptor.shown)")
    if let refusal = shelf.refusal(descriptor) { throw refusal }
    let all = shelf.books(of: Schema.entityName(for: T.self))
    // It knows of no order and no predicate, and so of no first ones.
    let isPlain = descriptor.sortBy.isEmpty && descriptor.predicate == nil
    return DataStoreFetchResult(
      descriptor: descriptor,
      fetchedSnapshots: Array(all.prefix(isPlain ? descriptor.fetchLimit ?? .max : .max)))
  }

  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    shelf.note("count \(request.descriptor.shown)")
    if let refusal = shelf.refusal(request.descriptor) { throw refusal }
    return shelf.books(of: Schema.entityName(for: T.self)).count
  }

  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    shelf.note("identifiers \(request.descriptor.shown)")
    if let refusal = shelf.refusal(request.descriptor) { throw refusal }
    return shelf.books(of: Schema.entityName(for: T.self)).map(\.persistentIdentifier)
  }

  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) -> [PersistentIdentifier: DefaultSnapshot] {
    shelf.note("cached \(persistentIdentifiers.map(\.entityName).sorted())")
    let found = persistentIdentifiers.compactMap(shelf.book)
    return Dictionary(found.map { ($0.persistentIdentifier, $0) }) { first, _ in first }
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    shelf.note(
      "save \(request.inserted.count) new, \(request.updated.count) changed, "
        + "\(request.deleted.count) deleted")
    let names = try shelf.place(request.inserted, in: identifier)
    var changed: [PersistentIdentifier: DefaultSnapshot] = [:]
    for book in request.inserted + request.updated {
      let name = names[book.persistentIdentifier] ?? book.persistentIdentifier
      let own = shelf.stamp(
        book.copy(persistentIdentifier: name, remappedIdentifiers: names))
      shelf.put(own)
      changed[name] = own
    }
    for book in request.deleted { shelf.remove(book.persistentIdentifier) }
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: names,
      snapshotsToReregister: shelf.stampsBooks ? changed : [:],
      historyToken: ShelfEntry.Token(tokenValue: shelf.noteSave()))
  }

  func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    shelf.note("delete \(request.predicate == nil ? "all" : "some")")
    for book in shelf.books(of: Schema.entityName(for: T.self)) {
      shelf.remove(book.persistentIdentifier)
    }
  }

  static var historyType: ShelfEntry.Type { ShelfEntry.self }

  func fetchHistory(_ descriptor: HistoryDescriptor<ShelfEntry>) throws -> [ShelfEntry] {
    shelf.entries(in: identifier)
  }

  func deleteHistory(_ descriptor: HistoryDescriptor<ShelfEntry>) throws { shelf.forgetNotes() }

  func erase() throws { shelf.clear() }
}

struct ShelfConfiguration: DataStoreConfiguration {
  typealias Store = ShelfStore
  var name: String
  var schema: Schema?
  let shelf: Shelf

  static func == (first: Self, second: Self) -> Bool { first.shelf === second.shelf }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(shelf)) }
}

/// What was asked of a shelf, as its history.
struct ShelfEntry: HistoryTransaction {
  struct Token: HistoryToken {
    var tokenValue: Int?
    var id: Int { tokenValue ?? 0 }
    static func < (first: Self, second: Self) -> Bool { first.id < second.id }
  }

  var transactionIdentifier: Int
  var storeIdentifier: String
  var author: String?
  var id: Int { transactionIdentifier }
  var timestamp: Date { Date(timeIntervalSinceReferenceDate: Double(id)) }
  var changes: [HistoryChange] { [] }
  var token: Token { Token(tokenValue: id) }

  static func == (first: Self, second: Self) -> Bool { first.id == second.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Where the books stand.
final class Shelf: Sendable {
  private struct Content {
    var books: [PersistentIdentifier: DefaultSnapshot] = [:]
    var order: [PersistentIdentifier] = []
    var number = 0
    var saves = 0
    var notes: [String] = []
  }

  private let content = Mutex(Content())
  /// What it leaves to memory.
  let leaves: DataStoreError?
  /// Whether it writes into each book how many there are.
  let stampsBooks: Bool

  init(leaves: DataStoreError? = nil, stampsBooks: Bool = false) {
    self.leaves = leaves
    self.stampsBooks = stampsBooks
  }

  /// What it was asked since the last time.
  func takeNotes() -> [String] {
    content.withLock { content in
      defer { content.notes = [] }
      return content.notes
    }
  }

  func forgetNotes() { _ = takeNotes() }

  /// How often something was saved.
  func noteSave() -> Int {
    content.withLock { content in
      content.saves += 1
      return content.saves
    }
  }

  func note(_ text: String) { content.withLock { $0.notes.append(text) } }

  func entries(in store: String) -> [ShelfEntry] {
    content.withLock(\.notes).enumerated().map {
      ShelfEntry(transactionIdentifier: $0.offset, storeIdentifier: store, author: $0.element)
    }
  }

  func refusal<T>(_ descriptor: FetchDescriptor<T>) -> DataStoreError? {
    switch leaves {
    case .preferInMemoryFilter where descriptor.predicate != nil: leaves
    case .preferInMemorySort where !descriptor.sortBy.isEmpty: leaves
    case .invalidPredicate where descriptor.predicate != nil: leaves
    default: nil
    }
  }

  func books(of entity: String) -> [DefaultSnapshot] {
    content.withLock { content in
      content.order.filter { $0.entityName == entity }.compactMap { content.books[$0] }
    }
  }

  func book(_ name: PersistentIdentifier) -> DefaultSnapshot? {
    content.withLock { $0.books[name] }
  }

  func put(_ book: DefaultSnapshot) {
    content.withLock { content in
      let name = book.persistentIdentifier
      if content.books.updateValue(book, forKey: name) == nil { content.order.append(name) }
    }
  }

  func remove(_ name: PersistentIdentifier) {
    content.withLock { content in
      content.books[name] = nil
      content.order.removeAll { $0 == name }
    }
  }

  func clear() { content.withLock { ($0.books, $0.order) = ([:], []) } }

  /// Names for new books.
  func place(
    _ books: [DefaultSnapshot], in store: String
  ) throws -> [PersistentIdentifier: PersistentIdentifier] {
    var names: [PersistentIdentifier: PersistentIdentifier] = [:]
    for book in books {
      let number = content.withLock { content in
        content.number += 1
        return content.number
      }
      names[book.persistentIdentifier] = try .identifier(
        for: store, entityName: book.persistentIdentifier.entityName, primaryKey: number)
    }
    return names
  }

  /// The book with how many there are before it.
  func stamp(_ book: DefaultSnapshot) -> DefaultSnapshot {
    guard stampsBooks else { return book }
    var values = book.values
    values["destination"] = .text("place \(content.withLock(\.order.count))")
    return DefaultSnapshot(persistentIdentifier: book.persistentIdentifier, values: values)
  }
}

extension FetchDescriptor {
  var shown: String {
    var words = ["\(T.self)"]
    if predicate != nil { words.append("some") }
    if !sortBy.isEmpty { words.append("sorted") }
    if let fetchLimit { words.append("first \(fetchLimit)") }
    return words.joined(separator: " ")
  }
}
