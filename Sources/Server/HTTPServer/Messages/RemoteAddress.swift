import CEpoll
import Glibc

/// Where a connection comes from.
public enum RemoteAddress: Hashable, Sendable {
  /// An IPv4 address, its first byte foremost, and a port.
  case ipv4(UInt32, port: UInt16)
  /// An IPv6 address in two halves, its first byte foremost, and a port.
  case ipv6(high: UInt64, low: UInt64, port: UInt16)
  /// A process on this machine, through a Unix socket.
  case local

  /// Reads what `accept4` wrote.
  init(_ storage: sockaddr_storage) {
    self = withUnsafeBytes(of: storage) { bytes in
      switch Int32(storage.ss_family) {
      case AF_INET:
        let address = bytes.loadUnaligned(as: sockaddr_in.self)
        return .ipv4(
          UInt32(bigEndian: address.sin_addr.s_addr), port: UInt16(bigEndian: address.sin_port))
      case AF_INET6:
        let port = bytes.loadUnaligned(as: sockaddr_in6.self).sin6_port
        // The address follows family, port and flow: 8 bytes.
        return .ipv6(
          high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
          low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
          port: UInt16(bigEndian: port))
      default: return .local
      }
    }
  }

  /// The address without the port, an IPv4 address that came over an IPv6 socket as IPv4; for limits per address.
  public var host: String {
    switch self {
    case .ipv4(let address, _): Self.dotted(address)
    case .ipv6(0, let low, _) where low >> 32 == 0xFFFF:
      Self.dotted(UInt32(truncatingIfNeeded: low))
    case .ipv6(let high, let low, _): Self.colons(high, low)
    case .local: "local"
    }
  }

  private static func dotted(_ address: UInt32) -> String {
    // NB: not by joining four texts: this is asked for with every request.
    String(unsafeUninitializedCapacity: 15) { buffer in
      var place = 0
      for shift: UInt32 in [24, 16, 8, 0] {
        let number = UInt8(truncatingIfNeeded: address >> shift)
        for unit: UInt8 in [100, 10, 1] where number >= unit || unit == 1 {
          buffer[place] = UInt8(ascii: "0") + number / unit % 10
          place += 1
        }
        if shift > 0 {
          buffer[place] = UInt8(ascii: ".")
          place += 1
        }
      }
      return place
    }
  }

  /// The form that RFC 5952 asks for, with the longest run of zeros left out.
  private static func colons(_ high: UInt64, _ low: UInt64) -> String {
    let groups = [high, low].flatMap { half in
      [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> $0) }
    }
    let hex = groups.map { String($0, radix: 16) }
    var best = 0..<0
    var start = 0
    while start < groups.count {
      var end = start
      while end < groups.count, groups[end] == 0 { end += 1 }
      if end - start > max(1, best.count) { best = start..<end }
      start = end + 1
    }
    guard !best.isEmpty else { return hex.joined(separator: ":") }
    return hex[..<best.lowerBound].joined(separator: ":") + "::"
      + hex[best.upperBound...].joined(separator: ":")
  }
}

extension RemoteAddress: CustomStringConvertible {
  /// The address and the port.
  public var description: String {
    switch self {
    case .ipv4(_, let port): "\(host):\(port)"
    case .ipv6(_, _, let port): "[\(host)]:\(port)"
    case .local: "local"
    }
  }
}
