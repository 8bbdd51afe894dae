import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

/// Fails each step of writing an atomic store's file.
@Suite struct FileFaultTests {
  /// Steps of one save: make, write, synchronize, rename, synchronize the folder.
  static let steps = 5

  @Test(arguments: [StoreKind.binary, .xml], 1...steps)
  func `memory and file stay as they were when a step fails once`(
    kind: StoreKind, step: Int
  ) throws {
    let folder = try TemporaryFolder()
    let location = Store.Location(kind, path: folder.file("store"))
    try KindSamples.fill(try Store(at: location, schema: KindSamples.schema))
    var environment = Store.Environment.system
    let plan = FileFaultPlan(failing: step, reason: ENOSPC)
    environment.fileFaults = plan
    let store = try Store(at: location, schema: KindSamples.schema, environment: environment)
    #expect(plan.steps == [])
    let before = try KindSamples.whole(store)

    let context = ModelContext(store)
    let tag = try context.insert("Tag")
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .writeFailed)
    #expect(plan.failureCount == 1)
    #expect(try KindSamples.whole(store) == before)
    #expect(try onDisk(location) == before)
    #expect(try folder.names == ["store", "store.lock"])

    // The trouble is over: what was not saved is still there to be saved.
    #expect(context.hasChanges)
    try context.save()
    #expect(tag.identity != nil)
    let after = try KindSamples.whole(store)
    #expect(after != before)
    #expect(try onDisk(location) == after)
  }

  @Test(arguments: [StoreKind.binary, .xml])
  func `a store that does not know what its file holds refuses to save`(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let location = Store.Location(kind, path: folder.file("store"))
    try KindSamples.fill(try Store(at: location, schema: KindSamples.schema))
    var environment = Store.Environment.system
    environment.fileFaults = FileFaultPlan(failing: Self.steps, isLasting: true)
    var store: Store? = try Store(
      at: location, schema: KindSamples.schema, environment: environment)
    #expect(storeErrorCode { try store?.setUserFact("a", to: "b") } == .writeFailed)
    let error = #expect(throws: StoreError.self) { try store?.setUserFact("a", to: "c") }
    #expect(error?.message.contains("may differ from memory") == true)
    // Whatever the disk has, it is a whole store.
    store = nil
    _ = try Store(at: location, schema: KindSamples.schema)
  }

  @Test(arguments: [StoreKind.binary, .xml])
  func `a commit that fails behind the file takes the file back`(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let location = Store.Location(kind, path: folder.file("store"))
    let store = try Store(at: location, schema: KindSamples.schema)
    try KindSamples.fill(store)
    let before = try KindSamples.whole(store)
    try store.gate.write { connection in
      connection.faults = FaultPlan(failing: 1, of: [.commit])
      #expect(storeErrorCode { try store.setUserFact("a", to: "b") } == .writeFailed)
      connection.faults = nil
    }
    #expect(try KindSamples.whole(store) == before)
    #expect(try onDisk(location) == before)
    try store.setUserFact("a", to: "b")
    #expect(try onDisk(location) == KindSamples.whole(store))
  }

  @Test(arguments: [StoreKind.binary, .xml])
  func `a save without changes does not write the file`(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let location = Store.Location(kind, path: folder.file("store"))
    var environment = Store.Environment.system
    let plan = FileFaultPlan(failing: 0)
    environment.fileFaults = plan
    let store = try Store(at: location, schema: KindSamples.schema, environment: environment)
    #expect(
      plan.steps == [.create, .write, .synchronize, .rename, .synchronizeFolder])
    try ModelContext(store).save()
    try store.write { _ in }
    #expect(plan.steps.count == Self.steps)
    // Someone who writes past `Store.write` is not forgotten.
    try store.gate.write { try $0.execute("INSERT INTO contrail_store VALUES ('user.x', 'y')") }
    #expect(plan.steps.count == Self.steps * 2)
    #expect(try Store.facts(at: folder.file("store")).userFacts == ["x": "y"])
  }

  @Test func `the file keeps its permissions, and a link stays a link`() throws {
    let folder = try TemporaryFolder()
    let real = folder.file("real")
    try KindSamples.fill(try Store(at: .xml(real), schema: KindSamples.schema))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: real)
    try Store(at: .xml(folder.file("link")), schema: KindSamples.schema)
      .setUserFact("a", to: "b")
    #expect(try folder.names == ["link", "real"])
    #expect(try Store.facts(at: real).userFacts == ["a": "b"])
    let attributes = try FileManager.default.attributesOfItem(atPath: real)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  private func onDisk(_ location: Store.Location) throws -> StoreImage {
    let connection = try Connection(.memory)
    try AtomicFile.load(location.path ?? "", location.kind, into: connection)
    return try StoreImage.read(connection, subject: "test").image
  }
}
