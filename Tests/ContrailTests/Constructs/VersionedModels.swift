import Contrail
import Synchronization
import Testing

enum DiaryVersion1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [DiaryVersion1.Entry.self] }

  @Model final class Entry {
    var text: String

    init(text: String) { self.text = text }
  }
}

struct DiaryVersion2: VersionedSchema {
  static var versionIdentifier: Schema.Version { .init(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [Entry.self, Mood.self] }
}

extension DiaryVersion2 {
  @Model final class Entry {
    @Attribute(originalName: "text") var body: String
    var mood: Mood?

    init(body: String, mood: Mood? = nil) {
      self.body = body
      self.mood = mood
    }
  }

  @Model final class Mood {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Entry.mood) var entries: [Entry] = []

    init(name: String) { self.name = name }
  }
}

enum DiaryPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [DiaryVersion1.self, DiaryVersion2.self] }
  static var stages: [MigrationStage] { [toVersion2] }

  static let toVersion2 = MigrationStage.custom(
    fromVersion: DiaryVersion1.self, toVersion: DiaryVersion2.self,
    willMigrate: { context in
      for entry in try context.fetch(FetchDescriptor<DiaryVersion1.Entry>())
      where entry.text.isEmpty {
        context.delete(entry)
      }
      try context.save()
    }, didMigrate: nil)
}

/// A plan whose stage looks for the models of both versions, before the change and after it.
private enum CuriousPlan: SchemaMigrationPlan {
  static let seen = Mutex<[String]>([])
  static var schemas: [any VersionedSchema.Type] { DiaryPlan.schemas }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: DiaryVersion1.self, toVersion: DiaryVersion2.self,
        willMigrate: { look("before", $0) }, didMigrate: { look("after", $0) })
    ]
  }

  private static func look(_ time: String, _ context: ModelContext) {
    let schema = context.container.schema.debugDescription
    let old = found { try context.fetch(FetchDescriptor<DiaryVersion1.Entry>()).map(\.text) }
    let new = found { try context.fetch(FetchDescriptor<DiaryVersion2.Entry>()).map(\.body) }
    let moods = found { try context.fetch(FetchDescriptor<DiaryVersion2.Mood>()).map(\.name) }
    seen.withLock {
      $0 += ["\(time): \(schema)", "old entries \(old)", "new entries \(new)", "moods \(moods)"]
    }
  }

  /// What a fetch gives, or the code of the error that it throws.
  private static func found(_ fetch: () throws -> [String]) -> String {
    do {
      let texts = try fetch()
      return "\(texts)"
    } catch {
      return (error as? StoreError)?.code.rawValue ?? "\(error)"
    }
  }
}

typealias DiaryEntry = DiaryVersion2.Entry

@Suite struct VersionedModels {
  /// Makes a store of version 1 with an entry for each text.
  private func keep(_ texts: [String], at url: URL) throws {
    let context = ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: DiaryVersion1.self),
        configurations: ModelConfiguration(url: url)))
    for text in texts { context.insert(DiaryVersion1.Entry(text: text)) }
    try context.save()
  }

  @Test func `Every distinct version is one VersionedSchema, which lists its models`() {
    let schemas = DiaryPlan.schemas.map { Schema(versionedSchema: $0) }
    #expect(schemas.map(\.version) == [Schema.Version(1, 0, 0), Schema.Version(2, 0, 0)])
    #expect(
      schemas.map { $0.entities.map(\.debugDescription) } == [
        ["Entry (text)"], ["Entry (body, mood)", "Mood (entries, name)"],
      ])
    #expect(schemas[0] != schemas[1])
  }

  @Test func `What differs between two VersionedSchemas is known, so a store becomes the next one`()
    throws
  {
    let folder = try TemporaryFolder()
    let url = folder.file("diary.store")
    try keep(["Rain", ""], at: url)
    let schema = Schema(versionedSchema: DiaryVersion2.self)
    #expect(schema.entitiesByName["Entry"]?.attributesByName["body"]?.originalName == "text")
    let context = ModelContext(
      try ModelContainer(
        for: schema, migrationPlan: DiaryPlan.self, configurations: ModelConfiguration(url: url)))
    let entries = try context.fetch(FetchDescriptor<DiaryEntry>())
    #expect(entries.map(\.body) == ["Rain"])
    #expect(entries.map { $0.mood?.name } == [nil])
    #expect(try context.fetchCount(FetchDescriptor<DiaryVersion2.Mood>()) == 0)
  }

  @Test func `Two VersionedSchemas with the same models are not distinct, and make no plan`() throws
  {
    enum Again: VersionedSchema {
      static var versionIdentifier: Schema.Version { .init(1, 1, 0) }
      static var models: [any PersistentModel.Type] { DiaryVersion1.models }
    }
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [DiaryVersion1.self, Again.self] }
      static var stages: [MigrationStage] { [] }
    }
    let error = #expect(throws: StoreError.self) {
      try ModelContainer(
        for: Schema(versionedSchema: Again.self), migrationPlan: Plan.self,
        configurations: ModelConfiguration("again", isStoredInMemoryOnly: true))
    }
    #expect(error?.code == .migrationFailed)
    #expect(
      error?.message == "versions 1 and 2 have the same hash, so no store tells which it is")
  }

  @Test
  func `Before the change a stage sees the old models alone, and after it the new ones alone`()
    throws
  {
    let folder = try TemporaryFolder()
    let url = folder.file("diary.store")
    try keep(["Rain"], at: url)
    _ = try ModelContainer(
      for: Schema(versionedSchema: DiaryVersion2.self), migrationPlan: CuriousPlan.self,
      configurations: ModelConfiguration(url: url))
    #expect(
      CuriousPlan.seen.withLock { $0 } == [
        "before: Schema 1.0.0: Entry", "old entries [\"Rain\"]", "new entries unknownEntity",
        "moods unknownEntity", "after: Schema 2.0.0: Entry, Mood", "old entries unknownEntity",
        "new entries [\"Rain\"]", "moods []",
      ])
  }

  @Test func `Models of a version are kept under their short names`() throws {
    let kept = try Kept(DiaryEntry.self, DiaryVersion2.Mood.self) { context in
      context.insert(DiaryEntry(body: "Rain", mood: DiaryVersion2.Mood(name: "calm")))
    }
    let entry = try kept.one(DiaryEntry.self)
    #expect(entry.body == "Rain")
    #expect(entry.mood?.entries.map(\.body) == ["Rain"])
  }

  @Test func `A container takes the newest VersionedSchema, and the plan with every one`() throws {
    let container = try ModelContainer(
      for: Schema(versionedSchema: DiaryVersion2.self), migrationPlan: DiaryPlan.self,
      configurations: ModelConfiguration("diary", isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(DiaryEntry(body: "Sun"))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<DiaryEntry>()) == 1)
    #expect(container.migrationPlan == DiaryPlan.self)
  }

  @Test func `Versions compare by their three numbers`() {
    #expect(Schema.Version(1, 2, 3) < Schema.Version(1, 10, 0))
    #expect(DiaryVersion2.versionIdentifier == Schema.Version(2, 0, 0))
  }
}
