@testable import HTTPServer
import Testing

struct ResponseTests {
  private func text(
    _ response: HTTPResponse, method: HTTPMethod = .get, version: HTTPVersion = .http11,
    closes: Bool = false
  ) -> String? {
    let plan = ResponsePlan(
      response, in: .init(method: method, version: version, closes: closes),
      dateLine: Array("Date: D\r\n".utf8))
    return plan.map { plan in
      var text = String(decoding: plan.head, as: UTF8.self)
      switch plan.body {
      case .none: break
      case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
      case .stream: text += "<stream>"
      }
      return text.replacing("\r\n", with: "|") + (plan.closes ? "<close>" : "")
    }
  }

  @Test func `a response tells its length, the time, and what the handler set`() {
    let response = HTTPResponse(headers: ["X-A": "1", "X-A": "2"], body: Array("abc".utf8))
    #expect(
      text(response) == "HTTP/1.1 200 OK|X-A: 1|X-A: 2|Date: D|Content-Length: 3||abc")
    #expect(
      text(response, closes: true)
        == "HTTP/1.1 200 OK|X-A: 1|X-A: 2|Date: D|Content-Length: 3|Connection: close||abc<close>")
  }

  @Test func `HEAD has the length and no body`() {
    #expect(
      text(HTTPResponse(body: [1, 2]), method: .head)
        == "HTTP/1.1 200 OK|Date: D|Content-Length: 2||")
    #expect(
      text(HTTPResponse(stream: HTTPStream { _ in }), method: .head)
        == "HTTP/1.1 200 OK|Date: D|Transfer-Encoding: chunked||")
  }

  @Test func `204 and 304 have neither body nor length`() {
    for status in [HTTPStatus.noContent, .notModified] {
      #expect(
        text(HTTPResponse(status: status, body: [65]))
          == "HTTP/1.1 \(status.rawValue) \(status.reason)|Date: D||")
    }
  }

  @Test func `a stream is chunked, and ends the connection where there are no chunks`() {
    let response = HTTPResponse(stream: HTTPStream { _ in })
    #expect(text(response) == "HTTP/1.1 200 OK|Date: D|Transfer-Encoding: chunked||<stream>")
    #expect(
      text(response, version: .http10)
        == "HTTP/1.1 200 OK|Date: D|Connection: close||<stream><close>")
  }

  @Test func `headers that say where a response ends are the server's own`() {
    let response = HTTPResponse(
      headers: [
        "content-length": "99", "Transfer-Encoding": "chunked", "CONNECTION": "keep-alive",
        "Date": "mine",
      ], body: [65])
    #expect(text(response) == "HTTP/1.1 200 OK|Date: mine|Content-Length: 1||A")
  }

  @Test(arguments: [
    ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\rb"), ("X", "a\u{0}"), ("X\r\nY", "a"), ("X:", "a"),
    ("X Y", "a"), ("", "a"), ("X", "a\u{7F}"),
  ])
  func `no header can begin another line`(name: String, value: String) {
    var headers = HTTPResponseHeaders()
    headers.append(name, value)
    #expect(text(HTTPResponse(headers: headers)) == nil)
  }

  @Test func `a status that is not final is not sent`() {
    for status in [0, -1, 99, 100, 199, 600, 1000] {
      #expect(text(HTTPResponse(status: HTTPStatus(status))) == nil)
    }
    #expect(
      text(HTTPResponse(status: HTTPStatus(299))) == "HTTP/1.1 299 |Date: D|Content-Length: 0||")
  }

  @Test func `dates are in the one form that everyone reads`() {
    func date(_ seconds: Int) -> String {
      String(decoding: DateLine.bytes(seconds: seconds).dropFirst(6).dropLast(2), as: UTF8.self)
    }
    #expect(date(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(date(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(date(951_782_399) == "Mon, 28 Feb 2000 23:59:59 GMT")
    #expect(date(951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
    #expect(date(4_107_542_400) == "Mon, 01 Mar 2100 00:00:00 GMT")
    #expect(date(-5) == date(0))
    #expect(date(.max) == "Fri, 31 Dec 9999 23:59:59 GMT")
  }
}
