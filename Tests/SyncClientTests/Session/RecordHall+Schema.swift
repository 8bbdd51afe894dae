import DataModel
import RecordServer
import SchemaFormats
import Testing

extension RecordHall {
  /// Puts the records of a schema into production, as the administrator does.
  func promote(_ schema: Schema) async throws {
    let text = Array(try CKDB.text(of: schema.mapped(.native).schema).utf8)
    let mark = AuditMark(by: "test", at: now())
    _ = try await service.storage.write { transaction in
      let old =
        try transaction.schema().map { try ContainerSchema(stored: $0) } ?? ContainerSchema()
      let imported = old.importing(text, file: "log.ckdb", by: mark).schema
      let outcome = imported.promoting(accepting: ["write-to-world"], by: mark)
      #expect(outcome.plan.refusals.isEmpty)
      try transaction.setSchema(try outcome.schema.stored(), version: outcome.schema.version)
    }
  }

  /// The container's schema, as the server keeps it.
  func storedSchema() async throws -> [UInt8]? {
    try await service.storage.read { try $0.schema() }
  }
}
