@testable import HTTPServer

/// What a parser made of some bytes, as a value to compare.
struct ParsedRequest: Equatable, CustomStringConvertible {
  var method: String
  var target: String
  var path: String
  var query: String?
  var version: HTTPVersion
  var headers: [String]
  var body: String
  var closes: Bool
  var expectsContinue: Bool

  init(_ head: HTTPRequestHead, body: [UInt8]) {
    method = head.method.rawValue
    target = head.target
    path = head.path
    query = head.query
    version = head.version
    headers = head.headers.all.map { "\($0.name)=\($0.value)" }
    self.body = String(decoding: body, as: UTF8.self)
    closes = head.closesConnection
    expectsContinue = head.expectsContinue
  }

  var description: String {
    "\(method) \(target) [\(headers.joined(separator: ", "))] \(body)"
      + (closes ? " close" : "") + (expectsContinue ? " continue" : "")
  }
}

/// All that a parser told about bytes that came in pieces.
struct ParseReport: Equatable {
  var requests: [ParsedRequest] = []
  var fault: RequestFault?

  init(_ pieces: [[UInt8]], limits: HTTPLimits = HTTPLimits(), bodyLimit: Int = 1 << 20) {
    var parser = RequestParser(limits: limits)
    var head: HTTPRequestHead?
    for piece in pieces {
      var offset = 0
      while fault == nil {
        let step = parser.next(piece.span, at: &offset)
        if case .needsMore = step { break }
        take(step, &parser, &head, bodyLimit)
      }
    }
  }

  private mutating func take(
    _ step: RequestParser.Step, _ parser: inout RequestParser, _ head: inout HTTPRequestHead?,
    _ bodyLimit: Int
  ) {
    switch step {
    case .needsMore: return
    case .head(let found):
      head = found
      fault = parser.acceptBody(limit: bodyLimit)
    case .body(let body): if let head { requests.append(ParsedRequest(head, body: body)) }
    case .refused(let found): fault = found
    }
  }

  /// The report on `text`, and on every way to cut it, which has to be the same.
  static func ofEveryCut(
    _ text: String, limits: HTTPLimits = HTTPLimits(), bodyLimit: Int = 1 << 20
  ) -> (whole: ParseReport, others: [ParseReport]) {
    let bytes = Array(text.utf8)
    var others = [ParseReport(bytes.map { [$0] }, limits: limits, bodyLimit: bodyLimit)]
    for cut in 0...bytes.count {
      others.append(
        ParseReport(
          [Array(bytes[..<cut]), Array(bytes[cut...])], limits: limits, bodyLimit: bodyLimit))
    }
    return (ParseReport([bytes], limits: limits, bodyLimit: bodyLimit), others)
  }
}
