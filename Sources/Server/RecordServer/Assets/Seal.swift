import DataModel
import RecordWire

/// What the server says to itself through its clients: a text that nobody else can make or change.
///
/// A text holds what was sealed, readable by everyone, and a code (HMAC-SHA256) over it, over the purpose
/// and over the moment at which it expires.
public struct Seal: Sendable {
  /// How many bytes a key has.
  public static let keyBytes = 32

  /// What a text is for: one of another purpose is a foreign one.
  public enum Purpose: UInt8, Sendable, CaseIterable {
    /// A place to upload to.
    case upload = 1
    /// The proof that a file was uploaded.
    case receipt = 2
    /// A place to download from.
    case download = 3
  }

  private static let version: UInt8 = 1
  private static let codeBytes = 32
  /// Keeps these codes apart from any others that are made with the key.
  private static let label = Array("contrail-seal".utf8)

  private let code: HMACSHA256

  /// Takes the server's key; nil when it does not have its 32 bytes.
  public init?(key: [UInt8]) {
    guard key.count == Self.keyBytes else { return nil }
    code = HMACSHA256(key: key)
  }

  /// Seals bytes until a moment, in milliseconds since 1970.
  func text(of content: [UInt8], for purpose: Purpose, expires: Int64) -> String {
    var writer = SealedWriter()
    writer.append(expires)
    let body = [Self.version] + writer.bytes + content
    return Base64Text.urlSafe(body + authenticator(of: body, purpose))
  }

  /// The bytes in a sealed text.
  func content(of text: String, for purpose: Purpose, now: Int64) throws(SealFailure) -> [UInt8] {
    guard text.utf8.count <= AssetLimits.sealedTextBytesMax,
      let bytes = Base64Text.urlSafeBytes(text), bytes.count >= 1 + 8 + Self.codeBytes,
      bytes[0] == Self.version
    else { throw .foreign }
    let body = Array(bytes.dropLast(Self.codeBytes))
    let code = authenticator(of: body, purpose)
    guard HMACSHA256.isEqual(code, bytes.suffix(Self.codeBytes)) else { throw .foreign }
    var reader = SealedReader(Array(body.dropFirst()))
    guard let expires = reader.number() else { throw .foreign }
    guard now < expires else { throw .expired }
    return Array(body.dropFirst(9))
  }

  private func authenticator(of body: [UInt8], _ purpose: Purpose) -> [UInt8] {
    code.code(of: Self.label + [purpose.rawValue] + body)
  }
}

/// Why a sealed text is not accepted.
public enum SealFailure: Error, Hashable, Sendable {
  /// It is not as this server made it, or it was made for something else.
  case foreign
  /// Its time is over.
  case expired
}
