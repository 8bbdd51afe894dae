import RecordWire

/// The proof that somebody uploaded a file to a database, or may read it there.
struct AssetReceipt: Hashable {
  /// Whose asset it is.
  var scope: AssetScope
  /// The record name of the user who may use it; nil for someone who has not signed in.
  var user: String?
  /// Which file.
  var file: AssetFile

  /// The dictionary with which a record can be saved until the receipt expires.
  func asset(_ seal: Seal, now: Int64) -> RecordAsset {
    var asset = RecordAsset(stored: file)
    asset.receipt = sealed(seal, expires: now.later(by: AssetLimits.receiptLife))
    return asset
  }

  func sealed(_ seal: Seal, expires: Int64) -> String {
    var writer = SealedWriter()
    writer.append(scope)
    writer.append(ifPresent: user)
    writer.append(file)
    return seal.text(of: writer.bytes, for: .receipt, expires: expires)
  }
}

extension AssetReceipt {
  init(opening text: String, _ seal: Seal, now: Int64) throws(SealFailure) {
    var reader = SealedReader(try seal.content(of: text, for: .receipt, now: now))
    guard let scope = reader.scope(), let user = reader.textIfAny(), let file = reader.file(),
      reader.isAtEnd
    else { throw .foreign }
    self.init(scope: scope, user: user, file: file)
  }
}

extension RecordAsset {
  /// A key of 16 zeros, the same for all files.
  ///
  /// Clients want a key to unwrap a file with, and files are not wrapped here.
  private static let noWrappingKey = "AAAAAAAAAAAAAAAAAAAAAA=="

  /// The dictionary as it is stored: neither a receipt nor an address, which both expire.
  init(stored file: AssetFile) {
    let checksum = file.address.fileChecksum
    self.init(
      fileChecksum: checksum, size: file.size, wrappingKey: Self.noWrappingKey,
      referenceChecksum: checksum)
  }

  /// The file of a dictionary that is stored; nil where it names none of this server.
  var storedFile: AssetFile? {
    guard let fileChecksum, let size, let address = AssetAddress(fileChecksum: fileChecksum) else {
      return nil
    }
    return AssetFile(address, size: size)
  }

  /// Whether what the dictionary says of its file is true of that one.
  func describes(_ file: AssetFile) -> Bool {
    (fileChecksum.map { AssetAddress(fileChecksum: $0) == file.address } ?? true)
      && (size.map { $0 == file.size } ?? true)
  }
}
