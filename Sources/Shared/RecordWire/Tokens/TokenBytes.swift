/// What all tokens of this server look like: a version, a kind, numbers and bytes, a checksum.
///
/// The checksum finds what was cut off or mixed up. It proves nothing about who made a token: a
/// token is a place to go on reading from, never a permission.
struct TokenBytes {
  /// What a token is for.
  enum Kind: UInt8 {
    case zone = 1
    case database = 2
    case query = 3
  }

  /// The version that is written.
  static let version: UInt8 = 1
  private static let checksumCount = 4

  private(set) var bytes: [UInt8]

  init(kind: Kind) { bytes = [Self.version, kind.rawValue] }

  /// Appends a number, seven bits a byte, the lowest first.
  mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a count and the bytes.
  mutating func append(_ part: [UInt8]) {
    append(UInt64(part.count))
    bytes.append(contentsOf: part)
  }

  /// The token's text.
  var text: String { Base64Text.urlSafe(bytes + Self.checksum(bytes[...])) }

  /// Four bytes of FNV-1a (RFC 9923).
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var hash: UInt32 = 0x811c_9dc5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: hash >> $0) }
  }
}

extension TokenBytes {
  /// Reads the parts of a token in the order in which they were appended.
  struct Reader {
    let kind: Kind
    private let noun: String
    private var rest: ArraySlice<UInt8>

    /// Checks what all tokens have.
    init(_ text: String, noun: String, kinds: Set<Kind>) throws(WireError) {
      self.noun = noun
      guard let bytes = Base64Text.urlSafeBytes(text), bytes.count >= 2 + checksumCount else {
        throw TokenBytes.foreign(noun)
      }
      guard bytes[0] == version, let kind = Kind(rawValue: bytes[1]) else {
        throw TokenBytes.foreign(noun)
      }
      let body = bytes.dropLast(checksumCount)
      guard bytes.suffix(checksumCount).elementsEqual(checksum(body)) else {
        throw TokenBytes.damaged(noun)
      }
      guard kinds.contains(kind) else { throw TokenBytes.foreign(noun) }
      self.kind = kind
      rest = body.dropFirst(2)
    }

    mutating func number() throws(WireError) -> UInt64 {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while let byte = rest.popFirst() {
        let bits = UInt64(byte & 0x7f)
        guard shift < 63 || (shift == 63 && bits <= 1) else { break }
        value |= bits << shift
        if byte < 0x80 { return value }
        shift += 7
      }
      throw TokenBytes.damaged(noun)
    }

    mutating func part() throws(WireError) -> [UInt8] {
      let count = try number()
      guard count <= UInt64(rest.count), let count = Int(exactly: count) else {
        throw TokenBytes.damaged(noun)
      }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }

    func end() throws(WireError) {
      guard rest.isEmpty else { throw TokenBytes.damaged(noun) }
    }
  }

  static func foreign(_ noun: String) -> WireError {
    WireError(
      .foreignToken, expected: "a \(noun) of this server", found: "another text",
      protocolReason: "Unknown \(noun) type")
  }

  fileprivate static func damaged(_ noun: String) -> WireError {
    WireError(
      .damagedToken, expected: "a \(noun) as it was answered", found: "a changed or shortened one",
      protocolReason: "Unknown \(noun) type")
  }
}
