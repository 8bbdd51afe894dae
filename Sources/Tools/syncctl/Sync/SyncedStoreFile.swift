import CommandKit
import FoundationEssentials
import Glibc
import ObjectStore
import SchemaFormats
import SyncClient

/// A store that a command syncs: opened for writing, with the schema that is in it.
struct SyncedStoreFile {
  let path: String
  let store: Store

  init(_ path: String) throws {
    self.path = path
    let facts = try StoreFiles.facts(at: path)
    guard facts.kind == .sqlite else {
      throw UsageError(
        "\(path) is a \(facts.kind) store, which has no place for what sync remembers",
        fix: "copy it to an SQLite store")
    }
    store = try Store(at: .file(path), schema: facts.schema)
  }

  /// Makes a store at `path` with the current version of a schema; does nothing where it is there with
  /// that schema.
  static func make(_ path: String, _ schemaPath: String, _ files: SchemaFiles) throws {
    guard let schema = try files.package(at: schemaPath).current?.schema else {
      throw UsageError(
        "\(schemaPath) says what records are, not what objects are",
        fix: "name a .xcdatamodeld, Contrail JSON or a store")
    }
    var about = stat()
    if stat(path, &about) == 0 {
      guard try StoreFiles.facts(at: path).schema == schema else {
        throw UsageError(
          "\(path) is there, with another schema",
          fix: "leave out --schema, or bring it there: syncctl migrate \(path) --to \(schemaPath)")
      }
      return
    }
    _ = try Store(at: .file(path), schema: schema)
  }

  /// With what it is synced, as `syncctl init` noted it down.
  func configuration() throws -> SyncConfiguration {
    try store.syncedConfiguration(path)
  }

  /// What carries requests to the server of a configuration, by the call's credentials.
  func transport(
    _ configuration: SyncConfiguration, _ call: Invocation
  ) throws -> HTTPRecordTransport {
    try recordTransport(configuration, call)
  }
}

/// What carries requests to the server of a configuration, by the call's credentials.
func recordTransport(
  _ configuration: SyncConfiguration, _ call: Invocation
) throws -> HTTPRecordTransport {
  let address = try ServerAddress(
    configuration.server, allowsPlainHTTP: call.has("insecure-http"))
  return try HTTPRecordTransport(
    configuration, at: address, tokens: SyncTokens(call), trusting: call.value("ca-file"),
    userAgent: "syncctl/\(toolVersion)")
}
