public import RecordWire

/// The permission to upload one file, for a field of a record.
public struct AssetTicket: Hashable, Sendable {
  /// Whose asset it will be.
  public var scope: AssetScope
  /// The zone of the record.
  public var zone: String
  /// The record's name.
  public var recordName: String
  /// The record's type.
  public var recordType: String
  /// The field's name.
  public var fieldName: String
  /// The record name of the user who asked; nil for someone who has not signed in.
  public var user: String?

  /// The ticket as a text that is good until a moment.
  func sealed(_ seal: Seal, expires: Int64) -> String {
    var writer = SealedWriter()
    writer.append(scope)
    writer.append(zone)
    writer.append(recordName)
    writer.append(recordType)
    writer.append(fieldName)
    writer.append(ifPresent: user)
    return seal.text(of: writer.bytes, for: .upload, expires: expires)
  }
}

extension AssetTicket {
  /// Opens the ticket at the end of a path; container and environment are those of the path.
  public init(
    opening text: String, container: String, environment: SchemaEnvironment, seal: Seal, now: Int64
  ) throws(RequestFailure) {
    let bytes: [UInt8]
    do throws(SealFailure) {
      bytes = try seal.content(of: text, for: .upload, now: now)
    } catch {
      throw .badPlace(error)
    }
    var reader = SealedReader(bytes)
    guard let scope = reader.scope(), let zone = reader.text(), let recordName = reader.text(),
      let recordType = reader.text(), let fieldName = reader.text(),
      let user = reader.textIfAny(), reader.isAtEnd,
      scope.environment == environment, scope.container.utf8.elementsEqual(container.utf8)
    else { throw .badPlace(.foreign) }
    self.init(
      scope: scope, zone: zone, recordName: recordName, recordType: recordType,
      fieldName: fieldName, user: user)
  }

  /// What is answered once the file is stored and the storage knows of it, kept since `now`.
  public func response(for file: AssetFile, seal: Seal, now: Int64) -> SingleFileResponse {
    SingleFileResponse(
      file: AssetReceipt(scope: scope, user: user, file: file).asset(seal, now: now))
  }
}

/// The permission to download one file.
public struct AssetDownload: Hashable, Sendable {
  /// Whose asset it is.
  public var scope: AssetScope
  /// Which file.
  public var file: AssetFile

  /// The permission as a text that is good until a moment.
  func sealed(_ seal: Seal, expires: Int64) -> String {
    var writer = SealedWriter()
    writer.append(scope)
    writer.append(file)
    return seal.text(of: writer.bytes, for: .download, expires: expires)
  }
}

extension AssetDownload {
  /// Opens the permission at the end of a path; container and environment are those of the path.
  public init(
    opening text: String, container: String, environment: SchemaEnvironment, seal: Seal, now: Int64
  ) throws(RequestFailure) {
    let bytes: [UInt8]
    do throws(SealFailure) {
      bytes = try seal.content(of: text, for: .download, now: now)
    } catch {
      throw .badPlace(error)
    }
    var reader = SealedReader(bytes)
    guard let scope = reader.scope(), let file = reader.file(), reader.isAtEnd,
      scope.environment == environment, scope.container.utf8.elementsEqual(container.utf8)
    else { throw .badPlace(.foreign) }
    self.init(scope: scope, file: file)
  }
}

extension SealedWriter {
  mutating func append(_ file: AssetFile) {
    append(file.address.digest)
    append(file.size)
  }
}

extension SealedReader {
  mutating func file() -> AssetFile? {
    guard let digest = part(), let address = AssetAddress(digest: digest), let size = number()
    else { return nil }
    return AssetFile(address, size: size)
  }
}

extension RequestFailure {
  /// Why nothing is to be had at an address.
  static func badPlace(_ failure: SealFailure) -> RequestFailure {
    switch failure {
    case .foreign: .noAssetHere
    case .expired:
      RequestFailure(.notFound, reason: "the address has expired: ask for a new one")
    }
  }

  /// Nothing is to be had at an address, or not any more.
  public static let noAssetHere = RequestFailure(
    .notFound, reason: "there is no asset at this address")

  /// The file that was uploaded went away before the storage knew of it: a sweep came between.
  public static let assetSweptAway = RequestFailure(
    .tryAgainLater, reason: "the file has to be uploaded again", retryAfter: 1)
}
