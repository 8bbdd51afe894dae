/// Why a request is refused before anyone handles it.
///
/// Each closes the connection, since where the next request begins is no longer certain.
package enum RequestFault: String, Error, CaseIterable, Sendable {
  case malformedRequestLine, malformedTarget, unsupportedVersion, methodTooLong, unservedMethod
  case bareLineFeed, bareCarriageReturn, malformedHeader, foldedHeader
  case missingHost, repeatedHost, malformedHost
  case malformedLength, repeatedLength, lengthAndCoding, malformedCoding, codingBefore11
  case unknownCoding, unknownExpectation
  case malformedChunk, longChunkExtension
  case targetTooLong, headTooLarge, tooManyHeaders, trailersTooLarge, bodyTooLarge
  case unknownContentCoding, malformedGzip, expandedTooLarge
  case headTimeout, bodyTimeout
  case overloaded

  /// The status that it is answered with.
  package var status: HTTPStatus { row.status }
  /// Whether the same request may do better soon.
  package var isTemporary: Bool { self == .overloaded }
  /// What is wrong and what would be right, in one line.
  package var message: String { row.message }

  private var row: (status: HTTPStatus, message: String) {
    switch self {
    case .malformedRequestLine:
      (
        .badRequest,
        "The first line has to be a method, a target and HTTP/1.1, with one space between."
      )
    case .malformedTarget:
      (.badRequest, "The target has to begin with / or http://, without spaces and fragments.")
    case .unsupportedVersion: (.versionNotSupported, "Only HTTP/1.1 and HTTP/1.0 are spoken here.")
    case .methodTooLong: (.notImplemented, "No method is that long.")
    case .unservedMethod: (.notImplemented, "This server is no proxy: CONNECT is not served.")
    case .bareLineFeed: (.badRequest, "Lines have to end with CR LF; a LF stands alone.")
    case .bareCarriageReturn: (.badRequest, "Lines have to end with CR LF; a CR stands alone.")
    case .malformedHeader:
      (
        .badRequest,
        "Headers have to be a name, a colon right after it, and a value without controls."
      )
    case .foldedHeader: (.badRequest, "Headers may not go on in the next line.")
    case .missingHost: (.badRequest, "HTTP/1.1 requires the header Host.")
    case .repeatedHost: (.badRequest, "The header Host may stand once only.")
    case .malformedHost:
      (.badRequest, "The header Host has to be a name or an address, and a port.")
    case .malformedLength: (.badRequest, "Content-Length has to be one number in digits only.")
    case .repeatedLength: (.badRequest, "Content-Length may stand once only.")
    case .lengthAndCoding:
      (.badRequest, "Content-Length and Transfer-Encoding may not stand together.")
    case .malformedCoding: (.badRequest, "Transfer-Encoding has to be chunked, once.")
    case .codingBefore11: (.badRequest, "HTTP/1.0 has no Transfer-Encoding.")
    case .unknownCoding: (.notImplemented, "The only transfer coding here is chunked.")
    case .unknownExpectation: (.expectationFailed, "The only expectation met here is 100-continue.")
    case .malformedChunk: (.badRequest, "A chunk is malformed.")
    case .longChunkExtension: (.badRequest, "The extensions of the chunks are too long.")
    case .targetTooLong: (.uriTooLong, "The target is too long.")
    case .headTooLarge: (.headersTooLarge, "The headers are too large.")
    case .tooManyHeaders: (.headersTooLarge, "There are too many headers.")
    case .trailersTooLarge: (.headersTooLarge, "The trailers are too large.")
    case .bodyTooLarge: (.contentTooLarge, "The body is too large.")
    case .unknownContentCoding:
      (.unsupportedMediaType, "Bodies may be sent plainly or as gzip, nothing else.")
    case .malformedGzip:
      (.badRequest, "The body is not the one gzip stream that its header promises.")
    case .expandedTooLarge: (.contentTooLarge, "The body is too large once it is expanded.")
    case .headTimeout: (.requestTimeout, "The head did not arrive in time.")
    case .bodyTimeout: (.requestTimeout, "The body did not arrive in time.")
    case .overloaded:
      (.serviceUnavailable, "The server holds as many bytes as it may; try again.")
    }
  }
}
