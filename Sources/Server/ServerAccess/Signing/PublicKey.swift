import COpenSSL

/// A P-256 key that signatures are checked with.
///
/// `@unchecked Sendable`: the key is not changed after `init`, each check has a context of its own, and
/// OpenSSL lets threads use one key at once as long as none changes it (openssl-threads(7)).
final class PublicKey: @unchecked Sendable {
  private let key: OpaquePointer

  /// Reads what `stored(pem:name:)` gave; nil when it is damaged.
  init?(stored bytes: [UInt8]) {
    guard let count = Int(exactly: bytes.count) else { return nil }
    let key = bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var place = buffer.baseAddress
      return d2i_PUBKEY(nil, &place, count)
    }
    guard let key else {
      ERR_clear_error()
      return nil
    }
    guard Self.isP256(key) else {
      EVP_PKEY_free(key)
      return nil
    }
    self.key = key
  }

  deinit { EVP_PKEY_free(key) }

  /// Whether `signature`, in DER, is this key's for `message`.
  func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    // What goes wrong here must not stay in this thread's list of errors, where TLS would find it.
    defer { ERR_clear_error() }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    return EVP_DigestVerifyInit(context, nil, Algorithm.sha256.pointer, nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  private static func isP256(_ key: OpaquePointer) -> Bool {
    defer { ERR_clear_error() }
    guard EVP_PKEY_is_a(key, "EC") == 1 else { return false }
    var name = [CChar](repeating: 0, count: 64)
    guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else { return false }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return bytes == Array("prime256v1".utf8)
  }
}

extension PublicKey {
  /// What is kept of a key that somebody registers as PEM text.
  static func stored(pem text: String, name: String) throws(AccountError) -> [UInt8] {
    defer { ERR_clear_error() }
    func refuse(_ message: String, fix: String = Self.howTo) -> AccountError {
      AccountError(.invalidKey, "key \(name.shownInErrors)", message, fix: fix)
    }
    guard text.utf8.count <= AccessLimits.keyTextBytesMax else {
      throw refuse("is larger than any public key")
    }
    if text.contains("PRIVATE KEY") {
      throw refuse(
        "is the private half, which nobody but its owner may see",
        fix: "give the public half: openssl ec -in KEY.pem -pubout; if this one was sent anywhere, "
          + "make another")
    }
    var bytes = Array(text.utf8)
    guard let count = Int32(exactly: bytes.count),
      let key = contrail_read_public_key(&bytes, count)
    else { throw refuse("is no public key in PEM form") }
    defer { EVP_PKEY_free(key) }
    guard isP256(key) else { throw refuse("is not on the curve P-256") }
    var output: UnsafeMutablePointer<UInt8>?
    let outputCount = i2d_PUBKEY(key, &output)
    guard let output, outputCount > 0 else { throw refuse("cannot be written as DER") }
    defer { contrail_free(output) }
    return [UInt8](UnsafeBufferPointer(start: output, count: Int(outputCount)))
  }

  private static let howTo =
    "make one: openssl ecparam -name prime256v1 -genkey -noout -out KEY.pem, then give what "
    + "openssl ec -in KEY.pem -pubout prints"
}
