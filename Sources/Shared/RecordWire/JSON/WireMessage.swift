public import JSONStream

/// A body of a request or of an answer, read from JSON and written as JSON.
///
/// Reading ignores keys that it does not know and takes null for a key that is not there. Writing gives
/// the keys in one order, and leaves out what is nil.
///
/// NB: public like JSONStream, since the compiler specialises nothing across modules otherwise.
public protocol WireMessage: Hashable, Sendable {
  /// What is accepted unless the caller says otherwise.
  static var defaultLimits: WireLimits { get }
  /// What a body without any bytes means; nil where there has to be one.
  static var ofNoBody: Self? { get }
  /// Reads the message that is the reader's next value.
  init(reading json: inout JSONReader, limits: WireLimits) throws
  /// Writes the message as one value.
  func write(to json: inout JSONWriter)
}

extension WireMessage {
  /// Nothing means nothing unless a message says otherwise.
  public static var ofNoBody: Self? { nil }

  /// Reads a whole body.
  public init(json body: [UInt8], limits: WireLimits = Self.defaultLimits) throws(WireError) {
    if body.isEmpty, let message = Self.ofNoBody {
      self = message
      return
    }
    do {
      self = try JSONReader.read(body, limits: limits.json) { reader in
        try Self(reading: &reader, limits: limits)
      }
    } catch {
      throw WireError(error)
    }
  }

  /// The message as a body; throws when a value is none that JSON can hold.
  public func json(
    _ style: JSONWriter.Style = .compact, bytesExpected: Int = 2_048
  ) throws(WireError) -> [UInt8] {
    var writer = JSONWriter(style, bytesExpected: bytesExpected)
    write(to: &writer)
    do {
      return try writer.finish()
    } catch {
      throw WireError(
        .unwritable, expected: error.expected, found: error.found, position: error.position)
    }
  }
}

/// A message that a client sends.
public protocol WireRequest: WireMessage {}

extension WireRequest {
  /// What a server accepts.
  public static var defaultLimits: WireLimits { .request }
}

/// A message that a server answers.
public protocol WireResponse: WireMessage {}

extension WireResponse {
  /// What a client accepts.
  public static var defaultLimits: WireLimits { .response }
}
