import COpenSSL

/// A SHA-256 digest of bytes that come in parts, by OpenSSL: assets are long.
final class Digest {
  private let context: OpaquePointer?

  init() {
    context = EVP_MD_CTX_new()
    EVP_DigestInit_ex(context, EVP_sha256(), nil)
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Takes more bytes.
  func update(_ bytes: UnsafeRawBufferPointer) {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// The digest of all that was taken; nil when OpenSSL had no memory for it.
  func finish() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard context != nil, EVP_DigestFinal_ex(context, &bytes, &count) == 1 else { return nil }
    return Array(bytes.prefix(Int(count)))
  }
}
