import COpenSSL

/// How much work one guess at a password costs.
public struct PasswordCost: Hashable, Sendable {
  /// The logarithm of scrypt's N.
  public var logN: Int

  /// Takes the logarithm of scrypt's N.
  public init(logN: Int) { self.logN = logN }

  /// N = 2^15: a tenth of a second, and 32 MiB of memory, for each guess.
  public static let standard = PasswordCost(logN: 15)

  /// The costs that a stored hash may have; others are damage.
  static let logNRange = 1...17
}

/// What is kept of a password: scrypt (RFC 7914) with r = 8 and p = 1, and a salt of its own.
struct PasswordHash: Hashable, Sendable {
  static let saltBytes = 16
  static let hashBytes = 32
  static let blockSize: UInt64 = 8
  static let parallelism: UInt64 = 1

  var salt: [UInt8]
  var hash: [UInt8]
  var logN: Int

  /// Hashes a new password; nil when OpenSSL cannot.
  init?(of password: String, salt: [UInt8], cost: PasswordCost) {
    guard
      let hash = Self.scrypt(
        Array(password.utf8), salt: salt, logN: cost.logN, count: Self.hashBytes)
    else { return nil }
    self.init(salt: salt, hash: hash, logN: cost.logN)
  }

  init(salt: [UInt8], hash: [UInt8], logN: Int) {
    self.salt = salt
    self.hash = hash
    self.logN = logN
  }

  /// Whether `password` is the one; costs the same whether it is or not.
  func matches(_ password: String) -> Bool {
    let found = Self.scrypt(Array(password.utf8), salt: salt, logN: logN, count: hash.count)
    guard let found, !hash.isEmpty, found.count == hash.count else { return false }
    return CRYPTO_memcmp(found, hash, hash.count) == 0
  }

  static func scrypt(
    _ password: [UInt8], salt: [UInt8], logN: Int, r: UInt64 = blockSize, p: UInt64 = parallelism,
    count: Int
  ) -> [UInt8]? {
    guard PasswordCost.logNRange.contains(logN) else { return nil }
    var key = [UInt8](repeating: 0, count: count)
    let isDone = password.withUnsafeBytes { bytes in
      // A pointer to nothing would ask OpenSSL to check the numbers only.
      let start = bytes.bindMemory(to: CChar.self).baseAddress ?? Self.noCharacters
      return EVP_PBE_scrypt(
        start, bytes.count, salt, salt.count, 1 << UInt64(logN), r, p, Self.memoryMax, &key, count)
    }
    guard isDone == 1 else {
      ERR_clear_error()
      return nil
    }
    return key
  }

  /// What OpenSSL may take for one hash: 128·N·r bytes for the largest N, and some for itself.
  private static let memoryMax: UInt64 = (128 * 8) << 17 + (1 << 24)

  /// The address of an empty C string.
  ///
  /// `nonisolated(unsafe)`: it is never written, and of the zero bytes behind it none is ever read.
  nonisolated(unsafe) private static let noCharacters: UnsafePointer<CChar> = {
    let characters = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    characters.initialize(to: 0)
    return UnsafePointer(characters)
  }()
}
