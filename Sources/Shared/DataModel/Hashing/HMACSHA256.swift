/// The message authentication code of RFC 2104 over SHA-256, for one key.
///
/// The key's two blocks are hashed once, so that a code of a short message costs little more than its
/// digest.
package struct HMACSHA256: Sendable {
  private let inner: SHA256
  private let outer: SHA256

  /// Takes a key of any length; one longer than 64 bytes counts as its digest.
  package init(key: [UInt8]) {
    var block = key.count > Self.blockBytes ? SHA256.digest(key) : key
    block.append(contentsOf: repeatElement(0, count: Self.blockBytes - block.count))
    inner = Self.hasher(block, 0x36)
    outer = Self.hasher(block, 0x5c)
  }

  /// The code of a message, 32 bytes.
  package func code(of message: [UInt8]) -> [UInt8] {
    var inner = inner
    inner.update(message)
    var outer = outer
    outer.update(inner.finish())
    return outer.finish()
  }

  /// Whether two codes are the same, found in a time that does not tell where they differ.
  package static func isEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>)
    -> Bool
  {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static let blockBytes = 64

  private static func hasher(_ block: [UInt8], _ pad: UInt8) -> SHA256 {
    var hasher = SHA256()
    hasher.update(block.map { $0 ^ pad })
    return hasher
  }
}
