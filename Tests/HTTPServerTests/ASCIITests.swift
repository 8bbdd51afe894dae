import HTTPServer
import Testing

/// The classes of bytes that heads are made of.
@Suite struct ASCIITests {
  private static let all = UInt8.min...UInt8.max

  @Test func `names are made of the bytes that RFC 9110 lists`() {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    let listed = "!#$%&'*+-.^_`|~0123456789\(letters)".utf8
    #expect(Self.all.filter { ASCII.isToken($0) } == listed.sorted())
  }

  @Test func `targets are made of visible bytes, but for the one that begins a fragment`() {
    let visible = Array(UInt8(ascii: "!")...UInt8(ascii: "~"))
    #expect(Self.all.filter { ASCII.isTarget($0) } == visible.filter { $0 != UInt8(ascii: "#") })
  }

  @Test func `texts are equal whatever the case of their letters, and of nothing else`() {
    #expect(ASCII.equal("Content-Type".utf8, "cONTENT-tYPE".utf8))
    for (first, second) in [("a", "b"), ("a", "aa"), ("[", "{"), ("@", "`"), ("\u{e9}", "\u{c9}")] {
      #expect(!ASCII.equal(first.utf8, second.utf8))
    }
  }
}
