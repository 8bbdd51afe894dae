import RecordWire
import Testing

@Suite struct PercentCodingTests {
  @Test func `all but unreserved characters are encoded, and what is encoded is read again`() {
    let rows = [
      ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b/c", "a%20b%2Fc"), ("100%", "100%25"),
      ("\u{e9}\u{1f600}", "%C3%A9%F0%9F%98%80"), ("?&=+#", "%3F%26%3D%2B%23"),
    ]
    for (text, encoded) in rows {
      #expect(PercentCoding.encoded(text) == encoded)
      #expect(decoded(encoded) == text)
    }
    #expect(decoded("%c3%a9") == "\u{e9}")
    #expect(decoded("a+b") == "a+b")
    #expect(decoded("a+b", plusIsSpace: true) == "a b")
  }

  @Test(arguments: ["%", "%4", "%4g", "%%41", "%FF", "%C3", "%00", "a%0Ab", "%7F", "a\u{1}"])
  func `what is broken, or hides control characters, is no text`(text: String) {
    #expect(decoded(text) == nil)
  }

  @Test func `the path of a container has its name encoded`() throws {
    let endpoint = try #require(ManagementEndpoint.at("schema/export"))
    #expect(endpoint.path(of: "a b/\u{e9}") == "/management/1/a%20b%2F%C3%A9/schema/export")
  }

  private func decoded(_ text: String, plusIsSpace: Bool = false) -> String? {
    var text = text
    return text.withUTF8 { PercentCoding.decoded($0, plusIsSpace: plusIsSpace) }
  }
}
