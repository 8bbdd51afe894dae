import COpenSSL

/// HMAC-SHA256 (RFC 2104).
enum KeyedHash {
  /// The code of `message` under `key`, 32 bytes; nil when OpenSSL cannot compute it.
  static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8]? {
    guard let keyCount = Int32(exactly: key.count) else { return nil }
    var code = [UInt8](repeating: 0, count: Digest256.byteCount)
    var count: UInt32 = 0
    guard
      HMAC(Algorithm.sha256.pointer, key, keyCount, message, message.count, &code, &count) != nil,
      count == Digest256.byteCount
    else {
      ERR_clear_error()
      return nil
    }
    return code
  }
}
