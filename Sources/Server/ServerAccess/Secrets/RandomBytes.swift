import COpenSSL

/// Where secrets come from: the system in a server, a list in a test.
public struct RandomBytes: Sendable {
  private let make: @Sendable (Int) -> [UInt8]?

  /// Takes a function that gives that many bytes, or nil when it cannot.
  public init(_ make: @escaping @Sendable (Int) -> [UInt8]?) { self.make = make }

  /// OpenSSL's generator for secrets, which the kernel seeds.
  public static let system = RandomBytes { count in
    guard let size = Int32(exactly: count), size >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    guard RAND_priv_bytes(&bytes, size) == 1 else {
      ERR_clear_error()
      return nil
    }
    return bytes
  }

  /// So many bytes.
  func bytes(_ count: Int) throws(AccountError) -> [UInt8] {
    guard let bytes = make(count), bytes.count == count else {
      throw AccountError(
        .noRandomness, "random numbers", "the system gave none",
        fix: "try again; if it stays so, look at the system's log")
    }
    return bytes
  }
}
