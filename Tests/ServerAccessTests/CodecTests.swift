import Testing

@testable import ServerAccess

@Suite struct `Codecs` {
  @Test func `hexadecimal texts are read back, and nothing else is`() {
    #expect(HexText.text([0, 1, 0xab, 0xff]) == "0001abff")
    #expect(HexText.bytes("0001abff".utf8) == [0, 1, 0xab, 0xff])
    for text in ["0", "AB", "0g", " 00", "é0"] {
      #expect(HexText.bytes(text.utf8) == nil, "\(text)")
    }
  }
}
