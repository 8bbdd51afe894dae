/// The kinds of tokens that a client sends, and how each is written.
enum TokenKind {
  /// 64 hexadecimal digits, as existing clients expect.
  case api
  /// Base64 that needs no percent encoding in a URL.
  case web
  /// 64 hexadecimal digits behind a word that secret scanners can look for.
  case management

  /// How many random bytes a token has.
  static let secretBytes = 32
  /// No token is longer; what is longer is not looked at.
  static let textBytesMax = 128
  static let managementPrefix = "ctr_mgmt_"

  func text(_ secret: [UInt8]) -> String {
    switch self {
    case .api: HexText.text(secret)
    case .web: Base64Text.urlSafeText(secret)
    case .management: Self.managementPrefix + HexText.text(secret)
    }
  }

  /// What the server keeps of the token `text`; nil when it cannot be one.
  func digest(_ text: String) -> Digest256? {
    guard text.utf8.count <= Self.textBytesMax, let secret = secret(text),
      secret.count == Self.secretBytes
    else { return nil }
    return Digest256(of: secret)
  }

  private func secret(_ text: String) -> [UInt8]? {
    switch self {
    case .api: HexText.bytes(text.utf8)
    case .web: Base64Text.bytes(text.utf8, .tolerant)
    case .management:
      text.utf8.starts(with: Self.managementPrefix.utf8)
        ? HexText.bytes(text.utf8.dropFirst(Self.managementPrefix.utf8.count)) : nil
    }
  }
}

/// A token that was just made: the only time that its text is known.
public struct IssuedToken: Hashable, Sendable {
  /// The public name by which it is listed and revoked.
  public var id: String
  /// The secret, to be shown once.
  public var text: String
  /// When it ends, in milliseconds since 1970; nil for one that does not.
  public var expires: Int64?
}
