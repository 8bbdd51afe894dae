import Contrail
import Testing

/// What a program catches by SwiftData's names.
@Suite("Kinds of errors")
struct ErrorCodeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What making a container of two configurations says.
  private func refusal(
    _ first: ModelConfiguration, _ second: ModelConfiguration
  ) -> SwiftDataError? {
    #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Trip.self, Note.self, configurations: first, second)
    }
  }

  @Test func `two configurations have neither one name nor one file`() {
    let trips = ModelConfiguration("a", schema: Schema([Trip.self]), url: folder.file("a.store"))
    let sameName = ModelConfiguration("a", schema: Schema([Note.self]), url: folder.file("b.store"))
    let sameFile = ModelConfiguration("b", schema: Schema([Note.self]), url: folder.file("a.store"))
    #expect(refusal(trips, sameName) == .duplicateConfiguration)
    #expect(refusal(trips, sameFile) == .duplicateConfiguration)
    #expect(
      refusal(trips, sameFile)?.description
        == "b: has the name or the file of another configuration [duplicateConfiguration]; "
        + "give it its own")
  }

  @Test(arguments: [
    (String(repeating: "n", count: 300), SwiftDataError.configurationFileNameTooLong),
    ("a/b", SwiftDataError.configurationFileNameContainsInvalidCharacters),
  ])
  func `a configuration is refused whose name no file can have`(
    name: String, kind: SwiftDataError
  ) {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Trip.self, configurations: ModelConfiguration(name))
    }
    #expect(error == kind)
    #expect(error?.subject == name)
  }

  @Test func `a configuration has no class that the container does not have`() {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(
        for: Trip.self,
        configurations: ModelConfiguration(
          schema: Schema([Note.self]), isStoredInMemoryOnly: true))
    }
    #expect(error == .configurationSchemaNotFoundInContainerSchema)
    #expect(error?.subject == "default.Note")
  }

  @Test func `dictionaries are refused by what the store cannot be asked`() throws {
    let context = ModelContext(try memory(Trip.self))
    let descriptor = FetchDescriptor<Trip>(predicate: #Predicate { $0.timesViewed > 1 })
    let error = #expect(throws: SwiftDataError.self) {
      try context.fetchDictionaries(descriptor, properties: [\.name])
    }
    #expect(error == .unsupportedPredicate)
    #expect(error?.subject == "Trip")
  }

  @Test func `transactions of a kind that no store of the container has are refused`() throws {
    let context = ModelContext(try memory(Trip.self))
    let error = #expect(throws: SwiftDataError.self) {
      try context.fetchHistory(HistoryDescriptor<ShelfEntry>())
    }
    #expect(error == .invalidTransactionFetchRequest)
  }

  @Test func `a file that is no store is caught as a container that cannot be made`() throws {
    let file = folder.file("text.store")
    try Data("this is no store, and long enough to be told from one".utf8).write(to: file)
    do {
      _ = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: file))
      Issue.record("it was opened")
    } catch SwiftDataError.loadIssueModelContainer {
      #expect(try Data(contentsOf: file).count == 53)
    }
  }

  @Test func `an identifier of an unknown class gives a model in no context`() throws {
    let other = ModelContext(try memory(Note.self))
    let note = Note(text: "elsewhere")
    other.insert(note)
    try other.save()
    let context = ModelContext(try memory(Trip.self))
    let model = context.model(for: note.persistentModelID)
    #expect(model.modelContext == nil)
    #expect(!(model is Note))
    #expect(!context.hasChanges)
  }
}
