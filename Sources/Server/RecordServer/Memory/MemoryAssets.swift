import DataModel
public import RecordWire
import Synchronization

/// The files of assets in memory, for tests and simulations: what is at the addresses that a service gives.
public final class MemoryAssets: Sendable {
  /// Where the addresses are that lead here.
  public static let baseURL = "https://files.example.org"

  /// What a service needs to know to give addresses.
  public let setting: AssetSetting
  private let environment: SchemaEnvironment
  private let files = Mutex<[AssetAddress: [UInt8]]>([:])

  /// Makes a place without files; nil when the key has not its 32 bytes.
  public init?(container: String, _ environment: SchemaEnvironment, sealKey: [UInt8]) {
    guard let seal = Seal(key: sealKey) else { return nil }
    self.environment = environment
    setting = AssetSetting(
      container: container, seal: seal, places: AssetPlaces(baseURL: Self.baseURL))
  }

  /// Takes the bytes that are sent to an address.
  public func upload(
    _ bytes: [UInt8], to url: String, of service: RecordService, now: Int64
  ) async throws -> SingleFileResponse {
    let ticket = try AssetTicket(
      opening: Self.sealed(url), container: setting.container, environment: environment,
      seal: setting.seal, now: now)
    guard let address = AssetAddress(digest: SHA256.digest(bytes)) else {
      throw RequestFailure.noAssetHere
    }
    let file = AssetFile(address, size: Int64(bytes.count))
    let database = ticket.scope.database
    let quota = AssetQuota(database, bytesMax: service.limits.assetBytesMax(of: database))
    try await service.storage.write { transaction in
      try quota.keep(AssetRow(file, keptAt: now), in: transaction)
    }
    files.withLock { $0[address] = bytes }
    return ticket.response(for: file, seal: setting.seal, now: now)
  }

  /// The bytes at an address.
  public func download(from url: String, now: Int64) throws -> [UInt8] {
    let download = try AssetDownload(
      opening: Self.sealed(url), container: setting.container, environment: environment,
      seal: setting.seal, now: now)
    guard let bytes = self.bytes(checksum: download.file.address.fileChecksum) else {
      throw RequestFailure.noAssetHere
    }
    return bytes
  }

  /// The bytes that have a checksum; nil where nobody has sent them.
  public func bytes(checksum: String) -> [UInt8]? {
    guard let address = AssetAddress(fileChecksum: checksum) else { return nil }
    return files.withLock { $0[address] }
  }

  /// Loses a file, as no server should.
  public func lose(checksum: String) {
    guard let address = AssetAddress(fileChecksum: checksum) else { return }
    files.withLock { $0[address] = nil }
  }

  private static func sealed(_ url: String) -> String {
    url.split(separator: "/").last.map(String.init) ?? ""
  }
}
