import COpenSSL

/// A SHA-256 digest: what is stored and compared in place of a secret.
public struct Digest256: Hashable, Sendable {
  /// How many bytes a digest has.
  public static let byteCount = 32

  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// The digest of `bytes`; nil when OpenSSL cannot compute it.
  public init?(of bytes: UnsafeRawBufferPointer) {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let isDone = withUnsafeMutableBytes(of: &words) { output in
      EVP_Digest(
        bytes.baseAddress, bytes.count, output.bindMemory(to: UInt8.self).baseAddress, nil,
        Algorithm.sha256.pointer, nil) == 1
    }
    guard isDone else {
      ERR_clear_error()
      return nil
    }
    self.words = words
  }

  /// The digest of `bytes`; nil when OpenSSL cannot compute it.
  public init?(of bytes: [UInt8]) {
    guard let digest = bytes.withUnsafeBytes({ Digest256(of: $0) }) else { return nil }
    self = digest
  }

  /// The digest that has these bytes; nil when they are not as many as a digest has.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    self.words = words
  }

  /// The digest's bytes.
  public var bytes: [UInt8] { withUnsafeBytes(of: words) { [UInt8]($0) } }

  /// Takes as long for digests that differ early as for those that differ late.
  public static func == (left: Digest256, right: Digest256) -> Bool {
    let first = (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1)
    let second = (left.words.2 ^ right.words.2) | (left.words.3 ^ right.words.3)
    return (first | second) == 0
  }

  /// Feeds the whole digest.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }
}

/// An algorithm that OpenSSL looked up once, since each look-up costs more than hashing a token.
///
/// `@unchecked Sendable`: an algorithm is never changed after it was fetched, and OpenSSL lets many
/// threads use one at once (evp(7), "Fetching"). It lives as long as the process.
struct Algorithm: @unchecked Sendable {
  /// Nil when OpenSSL has no such algorithm: then every digest is nil.
  let pointer: OpaquePointer?

  static let sha256 = Algorithm(pointer: EVP_MD_fetch(nil, "SHA2-256", nil))
}
