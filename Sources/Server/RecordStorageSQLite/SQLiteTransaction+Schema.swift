import RecordServer
import SQLiteDriver

extension SQLiteTransaction {
  func schemaVersion() throws -> Int64? {
    guard let memory else { return try readSchemaVersion() }
    return try memory.schemaVersion(readSchemaVersion)
  }

  private func readSchemaVersion() throws -> Int64? {
    let statement = try connection.statement("SELECT version FROM container_schema")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  func schema() throws -> [UInt8]? {
    let statement = try connection.statement("SELECT stored FROM container_schema")
    defer { statement.reset() }
    return try statement.step() ? statement.bytes(0) : nil
  }

  func setSchema(_ stored: [UInt8], version: Int64) throws {
    try checkWriting()
    let clear = try connection.statement("DELETE FROM container_schema")
    try clear.run()
    let statement = try connection.statement("INSERT INTO container_schema VALUES (?1, ?2)")
    statement.bind(1, version)
    statement.bind(2, stored)
    try statement.run()
  }
}
