import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

/// What stands at a store's path: locks, other files, copies, and taking stores away.
@Suite struct StoreFileTests {
  static let lasting = [StoreKind.sqlite, .binary, .xml]

  private func make(_ kind: StoreKind, _ path: String) throws -> Store {
    let store = try Store(at: Store.Location(kind, path: path), schema: KindSamples.schema)
    try KindSamples.fill(store)
    return store
  }

  @Test(arguments: [StoreKind.binary, .xml])
  func `a second opener is told that the store is busy, and may read`(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store")
    let location = Store.Location(kind, path: path)
    var store: Store? = try make(kind, path)
    #expect(
      storeErrorCode { _ = try Store(at: location, schema: KindSamples.schema) } == .busy)
    var options = Store.Options()
    options.allowsSave = false
    let reader = try Store(at: location, schema: KindSamples.schema, options: options)
    #expect(try KindSamples.whole(reader) == KindSamples.whole(#require(store)))
    #expect(storeErrorCode { try Store.destroy(at: path) } == .busy)
    store = nil
    _ = try Store(at: location, schema: KindSamples.schema)
    // A lock file that nobody holds, and what a killed process was writing.
    _ = FileManager.default.createFile(atPath: path + ".lock", contents: nil)
    _ = FileManager.default.createFile(atPath: path + ".saving", contents: Data("half".utf8))
    store = try Store(at: location, schema: KindSamples.schema)
    #expect(try folder.names == ["store", "store.lock"])
  }

  @Test(arguments: lasting)
  func `a file tells its kind without being opened`(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    _ = try make(kind, folder.file("store"))
    let files: [(name: String, bytes: [UInt8])] = [
      ("empty", []), ("text", Array("hello".utf8)), ("schema.json", Array("{}".utf8)),
      ("model", Array("<?xml version=\"1.0\"?><model/>".utf8)),
    ]
    for file in files {
      _ = FileManager.default.createFile(
        atPath: folder.file(file.name), contents: Data(file.bytes))
    }
    let names = ["store"] + files.map(\.name) + ["nowhere", "."]
    let kinds = try names.map { try Store.kind(at: folder.file($0)) }
    #expect(kinds == [kind] + names.dropFirst().map { _ in nil })
    _ = FileManager.default.createFile(
      atPath: folder.file("cut"), contents: Data("SQLite format 3\u{0}".utf8))
    #expect(storeErrorCode { _ = try Store.kind(at: folder.file("cut")) } == .corrupt)
  }

  @Test(arguments: lasting)
  func `what is no store is refused by name, and nothing is written`(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let files: [(name: String, bytes: [UInt8], facts: StoreError.Code)] = [
      ("empty", [], .notAStore),
      ("text", Array("hello".utf8), .notAStore),
      ("other.xml", Array("<?xml version=\"1.0\"?><plist/>".utf8), .notAStore),
      ("newer.xml", Array("<contrail-store format=\"2\" tables=\"1\"/>".utf8), .newerFormat),
      ("tables.xml", Array("<contrail-store format=\"1\" tables=\"9\"/>".utf8), .newerFormat),
      ("cut.xml", Array("<contrail-store format=\"1\" tables=\"1\">".utf8), .corrupt),
      ("newer.bin", BinaryFormat.magic + [2, 0, 0, 0], .newerFormat),
      ("cut.bin", Array(BinaryFormat.magic.prefix(9)), .corrupt),
      ("cut2.bin", BinaryFormat.magic + [1, 0, 0, 0], .corrupt),
      ("cut.sqlite", Array("SQLite format 3\0".utf8), .corrupt),
    ]
    for file in files {
      try Data(file.bytes).write(to: URL(fileURLWithPath: folder.file(file.name)))
    }
    try FileManager.default.createDirectory(
      atPath: folder.file("folder"), withIntermediateDirectories: false)
    let foreign = try Connection(.file(folder.file("foreign.sqlite")))
    try foreign.execute("CREATE TABLE t (a)")
    foreign.close()
    let newer = try Connection(.file(folder.file("newer.sqlite")))
    try newer.execute(
      "PRAGMA application_id = \(StoreSQL.applicationID); PRAGMA user_version = 99; CREATE TABLE t (a)"
    )
    newer.close()
    let names = try folder.names
    func facts(_ name: String) -> StoreError.Code? {
      storeErrorCode { _ = try Store.facts(at: folder.file(name)) }
    }
    for file in files { #expect(facts(file.name) == file.facts, "\(file.name)") }
    #expect(facts("folder") == .notAStore)
    #expect(facts("foreign.sqlite") == .notAStore)
    #expect(facts("newer.sqlite") == .newerFormat)
    #expect(facts("absent") == .cannotOpen)
    for name in names where !(name == "empty" && kind == .sqlite) {
      let location = Store.Location(kind, path: folder.file(name))
      let code = storeErrorCode { _ = try Store(at: location, schema: KindSamples.schema) }
      #expect([.notAStore, .corrupt, .newerFormat].contains(code), "\(name): \(code as Any)")
    }
    #expect(try folder.names == names)
    for file in files where !(file.name == "empty" && kind == .sqlite) {
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: folder.file(file.name))) == Data(file.bytes))
    }
  }

  @Test func `a store that is opened as another kind says which kind it is`() throws {
    let folder = try TemporaryFolder()
    for kind in Self.lasting { _ = try make(kind, folder.file(kind.rawValue)) }
    for kind in Self.lasting {
      for other in Self.lasting where other != kind {
        let error = #expect(throws: StoreError.self) {
          _ = try Store(
            at: Store.Location(other, path: folder.file(kind.rawValue)),
            schema: KindSamples.schema)
        }
        #expect(error?.code == .notAStore)
        #expect(error?.message == "is \(kind.words), not \(other.words)")
      }
    }
  }

  @Test(arguments: StoreKind.allCases, lasting)
  func `a copy of any kind has everything, and an identity of its own`(
    kind: StoreKind, target: StoreKind
  ) throws {
    let folder = try TemporaryFolder()
    let store = try make(kind, folder.file("store"))
    try store.setUserFact("colour", to: "red")
    let copyPath = folder.file("copy")
    let location = Store.Location(target, path: copyPath)
    try store.copy(to: location)
    let whole = try KindSamples.whole(store)
    let copy = try Store(at: location, schema: KindSamples.schema)
    #expect(copy.identifier != store.identifier)
    var found = try KindSamples.whole(copy)
    let facts = try #require(found.ownTables.firstIndex { $0.name == "contrail_store" })
    found.ownTables[facts] = whole.ownTables[facts]
    #expect(found == whole)
    #expect(try copy.userFacts() == ["colour": "red"])
    #expect(storeErrorCode { try store.copy(to: location) } != nil)

    let backup = Store.Location(target, path: folder.file("backup"))
    try store.copy(to: backup, keepsIdentifier: true)
    #expect(try KindSamples.whole(Store(at: backup, schema: KindSamples.schema)) == whole)
    #expect(storeErrorCode { try store.copy(to: backup) } == .cannotOpen)
    #expect(storeErrorCode { try store.copy(to: .memory) } == .cannotOpen)
    let names = try folder.names
    #expect(!names.contains { $0.contains(".saving") }, "\(names)")
  }

  @Test(arguments: lasting)
  func `a copy that fails leaves nothing`(target: StoreKind) throws {
    let folder = try TemporaryFolder()
    var environment = Store.Environment.system
    environment.fileFaults = FileFaultPlan(failing: 1, isLasting: true)
    let store = try Store(
      at: .memory, schema: KindSamples.schema, environment: environment)
    #expect(
      storeErrorCode {
        try store.copy(to: Store.Location(target, path: folder.file("copy")))
      } == .writeFailed)
    #expect(try folder.names == [])
  }

  @Test(arguments: lasting)
  func `destroying takes a store away with all that lies beside it`(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store")
    var store: Store? = try make(kind, path)
    try FileManager.default.createDirectory(
      atPath: path + ".values", withIntermediateDirectories: false)
    _ = FileManager.default.createFile(atPath: path + ".values/one", contents: Data([1]))
    _ = FileManager.default.createFile(atPath: path + ".saving", contents: Data([1]))
    #expect(storeErrorCode { try Store.destroy(at: path) } == .busy)
    #expect(try store?.userFacts() == [:])
    #expect(FileManager.default.fileExists(atPath: path))
    store = nil
    try Store.destroy(at: path)
    #expect(try folder.names == [])
    try Store.destroy(at: path)
    #expect(try folder.names == [])
  }

  @Test func `destroying leaves alone what is no store, and takes what is damaged`() throws {
    let folder = try TemporaryFolder()
    let text = folder.file("text")
    _ = FileManager.default.createFile(atPath: text, contents: Data("hello".utf8))
    #expect(storeErrorCode { try Store.destroy(at: text) } == .notAStore)
    let foreign = try Connection(.file(folder.file("foreign")))
    try foreign.execute("CREATE TABLE t (a)")
    foreign.close()
    #expect(storeErrorCode { try Store.destroy(at: folder.file("foreign")) } == .notAStore)
    #expect(try folder.names == ["foreign", "text"])
    for kind in Self.lasting {
      let path = folder.file("cut")
      _ = try make(kind, path)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
      #expect(storeErrorCode { _ = try Store.facts(at: path) } == .corrupt)
      try Store.destroy(at: path)
    }
    #expect(try folder.names == ["foreign", "text"])
  }
}
