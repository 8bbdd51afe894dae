import Testing

/// A text that is accepted, and what it says.
struct GoodMessage: CustomTestStringConvertible {
  var text: String
  var requests: [String]
  var testDescription: String { text.debugDescription }

  init(_ text: String, _ requests: String...) {
    self.text = text
    self.requests = requests
  }

  static let rows: [GoodMessage] = [
    GoodMessage("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / [Host=a] "),
    GoodMessage("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / [Host=a] "),
    GoodMessage("GET /a?b=c?d HTTP/1.1\r\nhost:a:80\r\n\r\n", "GET /a?b=c?d [host=a:80] "),
    GoodMessage(
      "GET http://b/x HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://b/x [Host=a] "),
    GoodMessage("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * [Host=a] "),
    GoodMessage("M-SEARCH / HTTP/1.1\r\nHost: a\r\n\r\n", "M-SEARCH / [Host=a] "),
    GoodMessage("GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / [Host=] "),
    GoodMessage("GET / HTTP/1.0\r\n\r\n", "GET / []  close"),
    GoodMessage(
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n",
      "GET / [Host=a, Connection=x, Close]  close"),
    GoodMessage(
      "GET / HTTP/1.1\r\nHost: a\r\nX: \t a\tb  \r\nEmpty:\r\n\r\n",
      "GET / [Host=a, X=a\tb, Empty=] "),
    GoodMessage(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
      "POST / [Host=a, Content-Length=3] abc"),
    GoodMessage(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0003\r\nExpect: 100-Continue\r\n\r\nabc",
      "POST / [Host=a, Content-Length=0003, Expect=100-Continue] abc continue"),
    GoodMessage(
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1GET /2 HTTP/1.1\r\nHost: b\r\n\r\n",
      "GET / [Host=a, Content-Length=1] 1", "GET /2 [Host=b] "),
    GoodMessage(
      chunked("3\r\nabc\r\nA;x=\"y\"\r\n0123456789\r\n000\r\nTrailer: dropped\r\n\r\n"),
      "POST / [Host=a, Transfer-Encoding=chunked] abc0123456789"),
    GoodMessage(
      chunked("0\r\n\r\n") + "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST / [Host=a, Transfer-Encoding=chunked] ", "GET / [Host=a] "),
  ]

  static func chunked(_ body: String) -> String {
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body
  }
}
