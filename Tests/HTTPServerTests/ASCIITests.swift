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

  @Test(arguments: [0, 3, 7, 8, 15, 16, 20])
  func `targets are made of visible bytes, but for the one that begins a fragment`(
    place: Int
  ) {
    let visible = Array(UInt8(ascii: "!")...UInt8(ascii: "~"))
    let taken = Self.all.filter { ASCII.areTarget(Self.text(with: $0, at: place)) }
    #expect(taken == visible.filter { $0 != UInt8(ascii: "#") })
  }

  @Test(arguments: [0, 3, 7, 8, 15, 16, 20])
  func `values of headers are made of all bytes but those that begin something else`(
    place: Int
  ) {
    let taken = Self.all.filter {
      Self.text(with: $0, at: place).withUnsafeBufferPointer(ASCII.areFieldValue)
    }
    #expect(taken == Self.all.filter { $0 == 9 || $0 >= 32 && $0 != 127 })
    #expect(ASCII.areFieldValue(UnsafeBufferPointer(start: nil, count: 0)))
  }

  /// A text of letters with another byte at a place.
  private static func text(with byte: UInt8, at place: Int) -> ArraySlice<UInt8> {
    var text = [UInt8](repeating: UInt8(ascii: "a"), count: 21)
    text[place] = byte
    return text[...]
  }

  @Test func `texts are equal whatever the case of their letters, and of nothing else`() {
    #expect(ASCII.equal("Content-Type".utf8, "cONTENT-tYPE".utf8))
    for (first, second) in [("a", "b"), ("a", "aa"), ("[", "{"), ("@", "`"), ("\u{e9}", "\u{c9}")] {
      #expect(!ASCII.equal(first.utf8, second.utf8))
    }
  }
}
