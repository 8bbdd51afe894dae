import Contrail
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

typealias DiaryEntry = DiaryVersion2.Entry

@Suite struct VersionedModels {
  @Test func `Models of a version are kept under their short names`() throws {
    let kept = try Kept(DiaryEntry.self, DiaryVersion2.Mood.self) { context in
      context.insert(DiaryEntry(body: "Rain", mood: DiaryVersion2.Mood(name: "calm")))
    }
    let entry = try kept.one(DiaryEntry.self)
    #expect(entry.body == "Rain")
    #expect(entry.mood?.entries.map(\.body) == ["Rain"])
  }

  @Test func `A container takes a schema of a version, and its plan`() throws {
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
