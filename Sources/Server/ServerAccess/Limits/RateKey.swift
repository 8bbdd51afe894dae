import Glibc

/// Whose requests are counted together.
public struct RateKey: Hashable, Sendable {
  /// What is counted by.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    /// A user's identifier.
    case user
    /// The public name of an API token.
    case apiToken
    /// A server-to-server key.
    case key
    /// The public name of a management token.
    case management
    /// An address on the network.
    case address
    /// A name that somebody wants to sign in with.
    case name
  }

  /// What is counted by.
  public let kind: Kind
  let value: String

  /// Counts by something that this module named.
  public init(_ kind: Kind, _ value: String) {
    self.kind = kind
    self.value = value
  }

  /// Counts by an address; of IPv6 by the network, since each subscriber has one with very many addresses.
  public static func address(_ text: String) -> RateKey {
    RateKey(.address, network(text))
  }

  /// Counts by a name, whether or not there is such a user.
  static func name(_ text: String) -> RateKey {
    // As the file compares names; and no name takes more room than one that may exist.
    let bytes = text.utf8.prefix(AccessLimits.nameBytesMax + 1).map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
    return RateKey(.name, HexText.text(bytes))
  }

  private static let networkBytes = 8
  private static let embeddedIPv4: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

  private static func network(_ text: String) -> String {
    // What is no address has no way of being long.
    guard text.utf8.contains(UInt8(ascii: ":")) else {
      return text.utf8.count <= 64 ? text : String(text.prefix(64))
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, text, &bytes) == 1 else { return String(text.prefix(64)) }
    if bytes.starts(with: embeddedIPv4) {
      return bytes.suffix(4).map { String($0) }.joined(separator: ".")
    }
    return HexText.text(bytes.prefix(networkBytes))
  }
}

extension Caller {
  /// Whose limits a request of this caller counts against.
  public func rateKeys(address: RateKey) -> [RateKey] {
    var keys: [RateKey] = []
    keys.reserveCapacity(3)
    keys.append(address)
    switch kind {
    case .anonymous: break
    case .user: if let userID { keys.append(RateKey(.user, userID)) }
    case .key: return keys + [RateKey(.key, tokenID)]
    }
    keys.append(RateKey(.apiToken, tokenID))
    return keys
  }
}
