import DataModel
import RecordWire

@testable import RecordServer

/// A zone whose records may have assets, and what tests do with it over and over.
final class AssetWorld {
  static let container = "iCloud.com.example.notes"
  static let key = (0..<32).map { UInt8($0) }
  static let base = "https://records.example.com"

  let modify: ModifyWorld
  /// The most bytes of files for a database.
  var bytesMax: Int64 = .max
  let seal: Seal
  private let folder: ScratchFolder

  var storage: any RecordStorage { modify.storage }
  /// What the next call is told about the time.
  var now: Int64 { modify.time }

  init(_ kind: TestedStorage = .memory, zone: ZoneKey = Samples.notes) async throws {
    let made = try kind.make()
    folder = made.folder
    modify = ModifyWorld(made.storage)
    modify.zone = zone
    seal = try Self.seal()
    modify.assets = AssetGate(seal: seal, container: Self.container)
    try await modify.begin()
  }

  static func seal(key: [UInt8] = key) throws -> Seal {
    guard let seal = Seal(key: key) else { throw StorageFailure.readOnly }
    return seal
  }

  static func file(_ text: String) throws -> AssetFile {
    guard let address = AssetAddress(digest: SHA256.digest(text.utf8)) else {
      throw StorageFailure.readOnly
    }
    return AssetFile(address, size: Int64(text.utf8.count))
  }

  func scope(_ database: DatabaseKey? = nil) -> AssetScope {
    AssetScope(
      container: Self.container, environment: .development,
      database: database ?? modify.zone.database)
  }

  func call(_ environment: SchemaEnvironment = .development) -> AssetCall {
    var call = AssetCall(
      container: Self.container, zone: modify.zone, caller: RecordCaller(user: modify.user),
      schema: modify.schema.resolved(environment), seal: seal,
      places: AssetPlaces(baseURL: Self.base + "/"), now: now)
    call.bytesMax = bytesMax
    return call
  }

  func places(
    _ tokens: [AssetField], environment: SchemaEnvironment = .development
  ) async throws -> [AssetUploadResponse.Entry] {
    let run = AssetUploadRun(
      AssetUploadRequest(tokens: tokens), call(environment),
      newNames: tokens.indices.map { "NEW-\($0)" })
    return try await storage.read { try run.run(in: $0) }.tokens
  }

  /// Uploads a text for a field, as the HTTP layer does it; the dictionary that is answered.
  func upload(_ text: String, to record: String, _ field: String = "image") async throws
    -> RecordAsset
  {
    let entries = try await places([
      AssetField(recordName: record, recordType: "Note", fieldName: field)
    ])
    guard case .token(let token)? = entries.first else { throw StorageFailure.readOnly }
    return try await send(text, to: token.url)
  }

  func send(_ text: String, to url: String) async throws -> RecordAsset {
    let ticket = try AssetTicket(
      opening: Self.sealed(url), container: Self.container, environment: .development, seal: seal,
      now: now)
    let file = try Self.file(text)
    let now = now
    let quota = AssetQuota(ticket.scope.database, bytesMax: bytesMax)
    try await storage.write { try quota.keep(AssetRow(file, keptAt: now), in: $0) }
    return ticket.response(for: file, seal: seal, now: now).file
  }

  func rereference(_ fields: [AssetField]) async throws -> [RecordAsset] {
    let run = AssetRereferenceRun(AssetRereferenceRequest(assets: fields), call())
    return try await storage.write { try run.run(in: $0) }.assets
  }

  /// The sealed text at the end of an address.
  static func sealed(_ url: String) -> String { String(url.split(separator: "/").last ?? "") }

  func record(_ name: String) async throws -> RecordRow? {
    let zone = modify.zone
    return try await storage.read { try $0.records([name], in: zone) }.first ?? nil
  }

  /// What the storage forgets when everything may go that nobody has.
  func forget() async throws -> Set<AssetAddress> {
    Set(try await storage.write { try $0.forgetAssets(keptBefore: .max, limit: 1000) })
  }
}
