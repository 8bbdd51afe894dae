import COpenSSL
import Synchronization

/// A SHA-256 digest: what is stored and compared in place of a secret.
public struct Digest256: Hashable, Sendable {
  /// How many bytes a digest has.
  public static let byteCount = 32

  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// The digest of `bytes`; nil when OpenSSL cannot compute it.
  public init?(of bytes: UnsafeRawBufferPointer) {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let isDone = withUnsafeMutableBytes(of: &words) { output in
      DigestContexts.sha256.digest(bytes, output.bindMemory(to: UInt8.self).baseAddress)
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

/// Contexts of OpenSSL, each used again and again: making one costs as much as hashing a token.
private final class DigestContexts: Sendable {
  static let sha256 = DigestContexts(.sha256)

  /// How many contexts are kept that nobody uses.
  private static let idleMax = 8

  /// A context, which only who took it out of the list uses.
  ///
  /// `@unchecked Sendable`: a context has no ties to a thread, and is in the list or with one user.
  private struct Context: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private let algorithm: Algorithm
  private let idle = Mutex<[Context]>([])

  private init(_ algorithm: Algorithm) { self.algorithm = algorithm }

  /// Writes the digest of `bytes` to `output`, which has room for it; false where OpenSSL cannot.
  func digest(_ bytes: UnsafeRawBufferPointer, _ output: UnsafeMutablePointer<UInt8>?) -> Bool {
    guard algorithm.pointer != nil, let context = take() else { return false }
    let isDone =
      EVP_DigestInit_ex2(context.pointer, algorithm.pointer, nil) == 1
      && EVP_DigestUpdate(context.pointer, bytes.baseAddress, bytes.count) == 1
      && EVP_DigestFinal_ex(context.pointer, output, nil) == 1
    if isDone { giveBack(context) } else { EVP_MD_CTX_free(context.pointer) }
    return isDone
  }

  private func take() -> Context? {
    idle.withLock { $0.popLast() } ?? EVP_MD_CTX_new().map { Context(pointer: $0) }
  }

  private func giveBack(_ context: Context) {
    let isKept = idle.withLock { idle in
      guard idle.count < Self.idleMax else { return false }
      idle.append(context)
      return true
    }
    if !isKept { EVP_MD_CTX_free(context.pointer) }
  }
}
