import Testing

@testable import RecordServer

/// A schema is read once, and only one that was committed is used.
@Suite struct SchemaCacheTests {
  private struct Interruption: Error {}

  private static func current(
    _ storage: any RecordStorage, _ cache: SchemaCache
  ) async throws -> CurrentSchema {
    try await storage.write { try cache.current(in: $0) }
  }

  private static func schema(_ type: String) throws -> ContainerSchema {
    try ContainerSchema().importing(
      "RECORD TYPE \(type) (name STRING, GRANT WRITE TO \"_creator\");")
  }

  @Test func `a server that is only written to reads its schema once`() async throws {
    let storage = MemoryStorage(epoch: 7)
    let first = ServiceWorld(storage)
    await first.makeZones("Notes")
    _ = await first.save([("a", "one")])
    let restarted = ServiceWorld(storage)
    _ = await restarted.save([("b", "two")])
    let schemas = restarted.service.schemas
    let known = try await Self.current(storage, schemas)
    #expect(known.resolved.type("Note") != nil)
    #expect(try await Self.current(storage, schemas) === known)
  }

  @Test func `a schema that was rolled back is not the one that comes with its number`()
    async throws
  {
    let (storage, cache) = (MemoryStorage(epoch: 7), SchemaCache(.development))
    let (mine, other) = (try Self.schema("Mine"), try Self.schema("Other"))
    #expect(mine.version == other.version)
    await #expect(throws: Interruption.self) {
      try await storage.write { transaction in
        try transaction.setSchema(try mine.stored(), version: mine.version)
        _ = try cache.current(in: transaction)
        throw Interruption()
      }
    }
    try await storage.write {
      try $0.setSchema(try other.stored(), version: other.version)
    }
    let found = try await Self.current(storage, cache)
    #expect(found.resolved.type("Other") != nil)
    #expect(found.resolved.type("Mine") == nil)
  }
}
