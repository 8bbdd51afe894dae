@testable import HTTPServer
import Testing

struct ParserTests {
  /// Small ones, so that the tables can exceed them.
  private static let limits = {
    var limits = HTTPLimits()
    limits.headBytesMax = 400
    limits.targetBytesMax = 100
    limits.headersMax = 5
    limits.chunkExtensionBytesMax = 40
    limits.trailerBytesMax = 50
    return limits
  }()

  private static func reports(_ text: String) -> (whole: ParseReport, others: [ParseReport]) {
    ParseReport.ofEveryCut(text, limits: limits, bodyLimit: 100)
  }

  @Test(arguments: GoodMessage.rows)
  func `a good message says the same however it is cut`(message: GoodMessage) {
    let (whole, others) = Self.reports(message.text)
    #expect(whole.fault == nil)
    #expect(whole.requests.map(\.description) == message.requests)
    for other in others { #expect(other == whole) }
  }

  @Test(arguments: BadMessage.rows)
  func `a bad message is refused with its status however it is cut`(message: BadMessage) {
    let (whole, others) = Self.reports(message.text)
    #expect(whole.fault == message.fault)
    #expect(whole.fault?.status.rawValue == message.status)
    #expect(whole.requests.isEmpty)
    for other in others { #expect(other == whole) }
  }

  @Test func `each limit of a head has its status, one byte beyond it`() {
    func head(target: Int, padding: Int, headers: Int = 0) -> String {
      "GET /\(String(repeating: "t", count: target - 1)) HTTP/1.1\r\nHost: a\r\n"
        + String(repeating: "X: y\r\n", count: headers)
        + "P: \(String(repeating: "p", count: padding))\r\n\r\n"
    }
    // 400 bytes in all: the rest of the text beside target and padding has 31.
    let rows: [(String, RequestFault?)] = [
      (head(target: 100, padding: 1), nil),
      (head(target: 101, padding: 1), .targetTooLong),
      (head(target: 300, padding: 1), .targetTooLong),
      (head(target: 10, padding: 400 - 10 - 31), nil),
      (head(target: 10, padding: 400 - 10 - 30), .headTooLarge),
      (head(target: 1, padding: 1, headers: 3), nil),
      (head(target: 1, padding: 1, headers: 4), .tooManyHeaders),
    ]
    for (text, fault) in rows {
      let (whole, others) = Self.reports(text)
      #expect(whole.fault == fault, "\(text.count) bytes")
      for other in others { #expect(other == whole) }
    }
  }

  @Test func `a parser that refused refuses everything`() {
    let report = ParseReport([Array("x\n".utf8), Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)])
    #expect(report.fault == .bareLineFeed)
    #expect(report.requests.isEmpty)
  }

  @Test func `path and query are parts of the target`() throws {
    func parts(_ target: String) throws -> [String?] {
      let report = ParseReport([Array("OPTIONS \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)])
      let request = try #require(report.requests.first)
      return [request.path, request.query]
    }
    #expect(try parts("/a%20b/?") == ["/a%20b/", ""])
    #expect(try parts("/a?b?c") == ["/a", "b?c"])
    #expect(try parts("HTTP://host:1/a?b") == ["/a", "b"])
    #expect(try parts("http://host") == ["/", nil])
    #expect(try parts("https://host?q") == ["/", "q"])
    #expect(try parts("*") == ["*", nil])
  }

  @Test func `headers are found in any case, the first of several first`() throws {
    let text = "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nx-a: 2\r\n\r\n"
    var parser = RequestParser(limits: HTTPLimits())
    var offset = 0
    guard case .head(let head) = parser.next(Array(text.utf8).span, at: &offset) else {
      Issue.record("no head")
      return
    }
    #expect(head.headers["x-A"] == "1")
    #expect(head.headers.values(of: "X-a") == ["1", "2"])
    #expect(head.headers["X-B"] == nil)
    #expect(head.headers.contains("HOST"))
  }

  @Test func `every fault has a sentence and a status of a client's or a server's error`() {
    for fault in RequestFault.allCases {
      #expect(fault.message.hasSuffix("."))
      #expect((400...599).contains(fault.status.rawValue))
      #expect(!fault.status.reason.isEmpty)
    }
  }
}
