@testable import HTTPServer
import Testing

/// A text that is refused, with the fault and its status.
struct BadMessage: CustomTestStringConvertible {
  var fault: RequestFault
  var status: Int
  var text: String
  var testDescription: String { "\(fault): \(text.debugDescription)" }

  init(_ fault: RequestFault, _ status: Int, _ text: String) {
    self.fault = fault
    self.status = status
    self.text = text
  }

  private static func get(_ headers: String) -> String {
    "GET / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\n"
  }

  private static func first(_ line: String) -> String { "\(line)\r\nHost: a\r\n\r\n" }

  static let rows: [BadMessage] = firstLines + heads + framings + chunks

  private static let firstLines: [BadMessage] = [
    BadMessage(.malformedRequestLine, 400, first("GET /")),
    BadMessage(.malformedRequestLine, 400, first("GET")),
    BadMessage(.malformedRequestLine, 400, first(" / HTTP/1.1")),
    BadMessage(.malformedRequestLine, 400, first("G(T / HTTP/1.1")),
    BadMessage(.malformedRequestLine, 400, first("GET / HTTP/1.1 ")),
    BadMessage(.malformedRequestLine, 400, first("GET / http/1.1")),
    BadMessage(.malformedRequestLine, 400, first("GET / HTTP/1.11")),
    BadMessage(.malformedRequestLine, 400, "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    BadMessage(.malformedTarget, 400, first("GET  / HTTP/1.1")),
    BadMessage(.malformedTarget, 400, first("GET / / HTTP/1.1")),
    BadMessage(.malformedTarget, 400, first("GET /#a HTTP/1.1")),
    BadMessage(.malformedTarget, 400, first("GET /\u{0} HTTP/1.1")),
    BadMessage(.malformedTarget, 400, first("GET /ä HTTP/1.1")),
    BadMessage(.malformedTarget, 400, first("GET a HTTP/1.1")),
    BadMessage(.malformedTarget, 400, first("GET * HTTP/1.1")),
    BadMessage(.malformedTarget, 400, first("GET ftp://a/ HTTP/1.1")),
    BadMessage(.malformedTarget, 400, first("GET http:///a HTTP/1.1")),
    BadMessage(.malformedTarget, 400, first("GET http://u@a/ HTTP/1.1")),
    BadMessage(.unsupportedVersion, 505, first("GET / HTTP/1.2")),
    BadMessage(.unsupportedVersion, 505, "PRI * HTTP/2.0\r\n\r\n"),
    BadMessage(.unservedMethod, 501, first("CONNECT a:80 HTTP/1.1")),
    BadMessage(.methodTooLong, 501, first(String(repeating: "M", count: 33) + " / HTTP/1.1")),
  ]

  private static let heads: [BadMessage] = [
    BadMessage(.bareLineFeed, 400, "GET / HTTP/1.1\nHost: a\n\n"),
    BadMessage(.bareLineFeed, 400, get("X: a\nY: b")),
    BadMessage(.bareCarriageReturn, 400, get("X: a\rb")),
    BadMessage(.bareCarriageReturn, 400, "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n"),
    BadMessage(.foldedHeader, 400, get("X: a\r\n b")),
    BadMessage(.foldedHeader, 400, "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
    BadMessage(.malformedHeader, 400, get("X : a")),
    BadMessage(.malformedHeader, 400, get("X")),
    BadMessage(.malformedHeader, 400, get(": a")),
    BadMessage(.malformedHeader, 400, get("X\u{0}: a")),
    BadMessage(.malformedHeader, 400, get("X: a\u{0}b")),
    BadMessage(.malformedHeader, 400, get("X: a\u{7F}b")),
    BadMessage(.missingHost, 400, "GET / HTTP/1.1\r\n\r\n"),
    BadMessage(.repeatedHost, 400, get("Host: a")),
    BadMessage(.malformedHost, 400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
    BadMessage(.malformedHost, 400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    BadMessage(.malformedHost, 400, "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"),
    BadMessage(.unknownExpectation, 417, get("Expect: the unexpected")),
  ]

  private static let framings: [BadMessage] = [
    BadMessage(.lengthAndCoding, 400, get("Content-Length: 3\r\nTransfer-Encoding: chunked")),
    BadMessage(.lengthAndCoding, 400, get("Transfer-Encoding: chunked\r\nContent-Length: 0")),
    BadMessage(.repeatedLength, 400, get("Content-Length: 3\r\nContent-Length: 4")),
    BadMessage(.repeatedLength, 400, get("Content-Length: 3\r\nContent-Length: 3")),
    BadMessage(.malformedLength, 400, get("Content-Length: 3, 3")),
    BadMessage(.malformedLength, 400, get("Content-Length: +3")),
    BadMessage(.malformedLength, 400, get("Content-Length: -3")),
    BadMessage(.malformedLength, 400, get("Content-Length: 1 2")),
    BadMessage(.malformedLength, 400, get("Content-Length: 0x3")),
    BadMessage(.malformedLength, 400, get("Content-Length:")),
    BadMessage(.malformedLength, 400, get("Content-Length: 9223372036854775808")),
    BadMessage(.malformedLength, 400, get("Content-Length: 99999999999999999999999")),
    BadMessage(.bodyTooLarge, 413, get("Content-Length: 9223372036854775807")),
    BadMessage(.bodyTooLarge, 413, get("Content-Length: 101")),
    BadMessage(.unknownCoding, 501, get("Transfer-Encoding: gzip, chunked")),
    BadMessage(.unknownCoding, 501, get("Transfer-Encoding: identity")),
    BadMessage(.unknownCoding, 501, get("Transfer-Encoding: chunked;a=b")),
    BadMessage(
      .unknownCoding, 501, get("Transfer-Encoding: \u{B}chunked").replacing("\u{B}", with: "x")),
    BadMessage(.malformedHeader, 400, get("Transfer-Encoding: \u{B}chunked")),
    BadMessage(.malformedHeader, 400, get("Transfer-Encoding : chunked")),
    BadMessage(.malformedCoding, 400, get("Transfer-Encoding: chunked, chunked")),
    BadMessage(
      .malformedCoding, 400, get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked")),
    BadMessage(.malformedCoding, 400, get("Transfer-Encoding:")),
    BadMessage(
      .codingBefore11, 400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
  ]

  private static let chunks: [BadMessage] =
    [
      "\r\n", "g\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\na\r\n", "1 \r\na\r\n",
      "1\na\r\n0\r\n\r\n",
      "1\r\nab\r\n", "1\r\na\n0\r\n\r\n", "1\r\na\rb", "1;\u{0}\r\na\r\n", "1;a\nb\r\n", "0\r\n\n",
      "0\r\nTrailer: a\nb\r\n\r\n", "0\r\n folded\r\n\r\n", "0\r\n\r\r", "0000000000000000\r\n\r\n",
    ].map { BadMessage(.malformedChunk, 400, GoodMessage.chunked($0)) } + [
      BadMessage(.bodyTooLarge, 413, GoodMessage.chunked("65\r\n")),
      BadMessage(.bodyTooLarge, 413, GoodMessage.chunked("1\r\na\r\n64\r\n")),
      BadMessage(.bodyTooLarge, 413, GoodMessage.chunked("fffffffffffffff\r\n")),
      BadMessage(
        .longChunkExtension, 400, GoodMessage.chunked("1;" + String(repeating: "x", count: 41))),
      BadMessage(
        .trailersTooLarge, 431, GoodMessage.chunked("0\r\nX: " + String(repeating: "x", count: 60))),
    ]
}
