import DataModel
import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import ObjectStore

@Suite struct ExternalStorageTests {
  let folder: ValuesFolder
  let clock = TestClock()

  init() throws { folder = try ValuesFolder() }

  func open() throws -> Store {
    try Store(at: .file(folder.storeFile), schema: Album.schema, environment: clock.environment)
  }

  func column(_ store: Store) throws -> [String] {
    try store.read { connection in
      let statement = try connection.prepare("SELECT typeof(picture) FROM Photo ORDER BY _id")
      var kinds: [String] = []
      while try statement.step() { kinds.append(statement.text(0)) }
      return kinds
    }
  }

  /// The pictures that a new context finds.
  func pictures(_ store: Store) throws -> [FieldValue] {
    let context = ModelContext(store)
    return try context.all("Photo").map { try $0.value("picture") }
  }

  @Test func `what is larger than the threshold is a file, what is not stays in its row`() throws {
    let store = try open()
    let context = ModelContext(store)
    let small = Album.picture(1, count: ValueFolder.thresholdBytes)
    try context.add("Photo", ["picture": .data(small)])
    try context.add("Photo", ["picture": .data(Album.picture(2))])
    try context.save()
    #expect(try column(store) == ["blob", "text"])
    #expect(folder.valueFiles.count == 1)
    #expect(try pictures(store) == [.data(small), .data(Album.picture(2))])
  }

  @Test func `a file is read when its value is asked for, and once`() throws {
    let store = try open()
    let context = ModelContext(store)
    try context.add("Photo", ["picture": .data(Album.picture(3)), "caption": .string("dusk")])
    try context.save()
    let photo = try #require(try ModelContext(store).all("Photo").first)
    let reader = ModelContext(store)
    let other = try #require(try reader.all("Photo").first)
    #expect(try other.value("caption") == .string("dusk"))
    let values = try #require(store.extras.values)
    #expect(values.reads.load(ordering: .relaxed) == 0)
    #expect(try other.value("picture") == .data(Album.picture(3)))
    #expect(try other.value("picture") == .data(Album.picture(3)))
    #expect(values.reads.load(ordering: .relaxed) == 1)
    #expect(!other.hasChanges && !reader.hasChanges)
    // Saving something else neither reads nor writes the value.
    try other.setValue("caption", .string("dawn"))
    try reader.save()
    #expect(values.reads.load(ordering: .relaxed) == 1)
    #expect(folder.valueFiles.count == 1)
    _ = photo
  }

  @Test func `a rolled back transaction leaves no file`() throws {
    let store = try open()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.write { transaction in
        let photo = try #require(store.layout.entity("Photo"))
        let row = Row(photo)
        defer { row.free(photo) }
        #expect(row.setValue(try #require(photo.slot("picture")), .data(Album.picture(1)), photo))
        try transaction.insert(photo, key: try transaction.newKey(photo), row: row)
        #expect(folder.valueFiles.count == 1)
        throw Stop()
      }
    }
    #expect(folder.valueFiles == [])
  }

  @Test
  func `what a killed process left is removed, or put in its place, when the store is opened`()
    throws
  {
    let store = try open()
    let context = ModelContext(store)
    try context.add("Photo", ["picture": .data(Album.picture(5))])
    try context.save()
    let values = try #require(store.extras.values)
    // Killed before the commit: a file that nothing refers to. Killed after it: one not yet moved.
    try values.write(UUID().uuidString, [1, 2, 3])
    let name = try #require(folder.valueFiles.first { values.size($0) ?? 0 > 3 })
    try FileManager.default.moveItem(
      atPath: "\(values.path)/\(name.suffix(2))/\(name)", toPath: "\(values.path)/new/\(name)")
    #expect(folder.valueFiles.count == 2)
    #expect(try pictures(store) == [.data(Album.picture(5))])
    _ = try open()
    #expect(folder.valueFiles == [name])
    #expect(FileManager.default.fileExists(atPath: "\(values.path)/\(name.suffix(2))/\(name)"))
  }

  @Test func `a process that writes loses no file to one that opens the store`() throws {
    let first = try open()
    let photo = try #require(first.layout.entity("Photo"))
    let row = Row(photo)
    defer { row.free(photo) }
    _ = row.setValue(try #require(photo.slot("picture")), .data(Album.picture(1)), photo)
    let isOpened = Mutex(false)
    try first.write { transaction in
      try transaction.insert(photo, key: try transaction.newKey(photo), row: row)
      let isStarted = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [self] in
        isStarted.signal()
        _ = try? open()
        isOpened.withLock { $0 = true }
      }
      isStarted.wait()
      Thread.sleep(forTimeInterval: 0.1)
      #expect(!isOpened.withLock { $0 })
      #expect(folder.valueFiles.count == 1)
    }
    while !isOpened.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
    #expect(try pictures(first) == [.data(Album.picture(1))])
  }

  @Test func `files of overwritten and deleted values go some minutes later`() throws {
    let store = try open()
    let context = ModelContext(store)
    let photo = try context.add("Photo", ["picture": .data(Album.picture(1))])
    let gone = try context.add("Photo", ["picture": .data(Album.picture(2))])
    try context.save()
    let late = ModelContext(store)
    let seen = try late.fetchStored(StoredQuery(layout: late.layout("Photo")))
    try photo.setValue("picture", .data(Album.picture(3)))
    try context.delete(gone)
    try context.save()
    #expect(folder.valueFiles.count == 3)
    // Someone who read before still gets what was read then.
    #expect(try seen.map { try $0.value("picture") } == [1, 2].map { .data(Album.picture($0)) })
    clock.advance(ValueCleaning.keptSeconds)
    try context.add("Photo", [:])
    try context.save()
    #expect(folder.valueFiles.count == 1)
    #expect(try photo.value("picture") == .data(Album.picture(3)))
  }

  @Test func `a file that is gone is a problem that is told once, and no trap`() throws {
    let store = try open()
    let context = ModelContext(store)
    try context.add("Photo", ["picture": .data(Album.picture(1))])
    try context.save()
    let other = ModelContext(store)
    let photo = try #require(try other.all("Photo").first)
    let name = try #require(folder.valueFiles.first)
    store.extras.values?.remove(name)
    #expect(try photo.value("picture") == .data([]))
    #expect(try photo.value("picture") == .data([]))
    #expect(
      other.takeProblems() == [StoreError.missingValueFile(name, "Photo.picture")])
  }

  @Test func `a name that leads out of the folder is refused`() throws {
    let store = try open()
    let context = ModelContext(store)
    try context.add("Photo", ["picture": .data([1])])
    try context.save()
    try store.maintain { try $0.execute("UPDATE Photo SET picture = '../../etc/passwd'") }
    let other = ModelContext(store)
    let photo = try #require(try other.all("Photo").first)
    #expect(try photo.value("picture") == .data([]))
    #expect(other.takeProblems().map(\.code) == [.corrupt])
  }

  @Test func `the same bytes again are no change`() throws {
    let store = try open()
    let context = ModelContext(store)
    try context.add("Photo", ["picture": .data(Album.picture(1))])
    try context.save()
    let other = ModelContext(store)
    let photo = try #require(try other.all("Photo").first)
    try photo.setValue("picture", .data(Album.picture(1)))
    try other.save()
    #expect(folder.valueFiles.count == 1)
    try photo.setValue("picture", .data(Album.picture(2)))
    try other.save()
    #expect(folder.valueFiles.count == 2)
    #expect(try pictures(store) == [.data(Album.picture(2))])
  }

  @Test func `merging by property knows that a large value was not touched`() throws {
    let store = try open()
    let first = ModelContext(store)
    first.mergePolicy = .mergeByPropertyObjectTrump
    let photo = try first.add("Photo", ["picture": .data(Album.picture(1))])
    try first.save()
    let second = ModelContext(store)
    let other = try #require(try second.all("Photo").first)
    try other.setValue("caption", .string("noon"))
    try photo.setValue("picture", .data(Album.picture(2)))
    try second.save()
    try first.save()
    let fresh = ModelContext(store)
    let found = try #require(try fresh.all("Photo").first)
    #expect(try found.value("caption") == .string("noon"))
    #expect(try found.value("picture") == .data(Album.picture(2)))
  }

  @Test func `a deleted object that is saved over the deletion keeps its value`() throws {
    let store = try open()
    let first = ModelContext(store)
    first.mergePolicy = .overwrite
    let photo = try first.add("Photo", ["picture": .data(Album.picture(1))])
    try first.save()
    let second = ModelContext(store)
    try second.delete(try #require(try second.all("Photo").first))
    try photo.setValue("caption", .string("kept"))
    try second.save()
    try first.save()
    clock.advance(ValueCleaning.keptSeconds)
    try first.add("Photo", [:])
    try first.save()
    let fresh = ModelContext(store)
    let found = try #require(try fresh.all("Photo").first)
    #expect(try found.value("picture") == .data(Album.picture(1)))
  }

  @Test func `a store in memory keeps large values itself`() throws {
    let store = try Store(at: .memory, schema: Album.schema)
    let context = ModelContext(store)
    try context.add("Photo", ["picture": .data(Album.picture(1))])
    try context.save()
    #expect(try column(store) == ["blob"])
    #expect(try pictures(store) == [.data(Album.picture(1))])
  }

  @Test func `unused files are found when asked for`() throws {
    let store = try open()
    let context = ModelContext(store)
    try context.add("Photo", ["picture": .data(Album.picture(1))])
    try context.save()
    let values = try #require(store.extras.values)
    let orphan = UUID().uuidString
    try values.write(orphan, [1])
    values.settle(orphan)
    #expect(try store.removeUnusedValues() == 1)
    #expect(folder.valueFiles.count == 1)
  }
}
