import DataModel
import RecordWire

/// Where the bytes of an asset are: the SHA-256 digest of them.
///
/// Two files with the same bytes are one. Knowing an address opens nothing: a save needs a receipt, and a
/// download an address that the server has sealed.
public struct AssetAddress: Hashable, Sendable {
  /// How many bytes a digest has.
  public static let byteCount = 32

  /// The digest.
  public let digest: [UInt8]

  /// Takes a digest; nil when it does not have its 32 bytes.
  public init?(digest: [UInt8]) {
    guard digest.count == Self.byteCount else { return nil }
    self.digest = digest
  }

  /// Reads 64 digits as `hexadecimal` writes them; nil for any other text.
  public init?(hexadecimal: String) {
    let digits = Array(hexadecimal.utf8)
    guard digits.count == 2 * Self.byteCount else { return nil }
    var digest: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(of: digits[index]), let low = Self.value(of: digits[index + 1])
      else { return nil }
      digest.append(high << 4 | low)
    }
    self.digest = digest
  }

  /// The digest as 64 lower-case digits.
  public var hexadecimal: String { digest.hexadecimal }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension AssetAddress: CustomStringConvertible {
  /// The digits.
  public var description: String { hexadecimal }
}

extension AssetAddress {
  /// What a checksum begins with, so that another kind may follow one day.
  private static let checksumKind: UInt8 = 1

  /// The checksum that clients see: base64 of a byte for its kind and the digest, 44 characters.
  public var fileChecksum: String {
    // 33 bytes need no padding, so the two alphabets differ in two digits only.
    let text = Base64Text.urlSafe([Self.checksumKind] + digest).utf8.map { digit in
      switch digit {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: digit
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a checksum that this server made; nil for any other text.
  public init?(fileChecksum: String) {
    guard let bytes = Base64Text.bytes(fileChecksum), bytes.first == Self.checksumKind else {
      return nil
    }
    self.init(digest: Array(bytes.dropFirst()))
  }
}

/// A file of an asset: where it is, and how long.
public struct AssetFile: Hashable, Sendable {
  /// Where its bytes are.
  public var address: AssetAddress
  /// How many they are.
  public var size: Int64

  /// Describes a file.
  public init(_ address: AssetAddress, size: Int64) {
    self.address = address
    self.size = size
  }
}
