/// The method of a request: any token, with the usual ones by name.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The token, which is case-sensitive.
  public let rawValue: String

  /// Takes the token.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Reads without a copy.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Asks for the head of what GET would answer.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Sends something to be worked on.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Replaces what is there.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes a part.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Asks what is allowed.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// Asks for a tunnel, which this server never gives.
  public static let connect = HTTPMethod(rawValue: "CONNECT")
}
