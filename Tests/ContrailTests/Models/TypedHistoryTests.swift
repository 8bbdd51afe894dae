import Contrail
import Testing

/// What stays of an album in history when it is deleted.
@Model class Album {
  @Attribute(.preserveValueOnDeletion) var code: String
  @Attribute(.preserveValueOnDeletion) var price: Decimal?
  var title: String

  init(code: String, title: String) {
    self.code = code
    self.title = title
  }
}

@Model final class LiveAlbum: Album {
  @Attribute(.preserveValueOnDeletion) var stage: URL?
  var guests = 0

  override init(code: String, title: String) { super.init(code: code, title: title) }
}

@Suite("History of models")
struct TypedHistoryTests {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    container = try memory(Album.self, LiveAlbum.self)
    context = ModelContext(container)
  }

  /// Saves an album of a class and says what `change` did to it, as history has it.
  private func change<Model: Album>(
    of model: Model, _ change: (Model) throws -> Void
  ) throws -> HistoryChange {
    context.insert(model)
    try context.save()
    try change(model)
    try context.save()
    return try #require(
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.changes.first)
  }

  @Test func `a tombstone has the values that are to be kept, by key path, and no other`() throws {
    let album = Album(code: "A1", title: "First")
    album.price = Decimal(1) / 4
    let identifier = { album.persistentModelID }
    let change = try change(of: album) { context.delete($0) }
    guard case .delete(let any) = change, let delete = any as? DefaultHistoryDelete<Album> else {
      Issue.record("no deletion of an album: \(change)")
      return
    }
    #expect(delete.changedPersistentIdentifier == identifier())
    #expect(delete.tombstone[\.code] == "A1")
    #expect(delete.tombstone[\.price] == Decimal(1) / 4)
    #expect(delete.tombstone[\Album.title] as String? == nil)
    #expect(delete.tombstone.map { "\($0)" }.sorted() == ["0.25", "A1"])
  }

  @Test func `a tombstone of a subclass has what is inherited, too`() throws {
    let album = LiveAlbum(code: "L1", title: "Live")
    album.stage = URL(string: "https://example.com/stage")
    let change = try change(of: album) { context.delete($0) }
    guard case .delete(let any) = change, let delete = any as? DefaultHistoryDelete<LiveAlbum>
    else {
      Issue.record("no deletion of a live album: \(change)")
      return
    }
    #expect(delete.tombstone[\.code] == "L1")
    #expect(delete.tombstone[\.stage] == URL(string: "https://example.com/stage"))
  }

  @Test func `an update names all that was changed, and has key paths of what the class declares`()
    throws
  {
    let change = try change(of: LiveAlbum(code: "L1", title: "Live")) {
      $0.title = "Still live"
      $0.guests = 2
    }
    guard case .update(let any) = change, let update = any as? DefaultHistoryUpdate<LiveAlbum>
    else {
      Issue.record("no update of a live album: \(change)")
      return
    }
    #expect(update.updatedPropertyNames == ["guests", "title"])
    #expect(update.updatedAttributes.map { $0 as PartialKeyPath<LiveAlbum> } == [\.guests])
  }

  @Test func `an observer counts from its place on, and what its authors did`() throws {
    context.author = "ann"
    context.insert(Album(code: "A1", title: "First"))
    try context.save()
    let place = try #require(
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
    for (author, code) in [("ann", "A2"), ("ben", "B1"), ("ann", "A3")] {
      context.author = author
      context.insert(Album(code: code, title: ""))
      try context.save()
    }
    func observer(_ tokens: [String: any HistoryToken]?, _ authors: Set<String>) throws -> Int {
      try HistoryObserver(historyTokens: tokens, authors: authors, modelContainer: container)
        .eventCounter
    }
    #expect(try observer(["default": place], []) == 3)
    #expect(try observer(["default": place], ["ann"]) == 2)
    #expect(try observer(nil, []) == 0)
  }
}
