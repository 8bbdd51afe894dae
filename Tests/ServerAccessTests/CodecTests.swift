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

  @Test(arguments: [2, 4, 8, 10, 64])
  func `one byte that is no lower-case digit makes a text none, wherever it stands`(count: Int) {
    let digits = Array("0123456789abcdef".utf8)
    for place in 0..<count {
      var text = (0..<count).map { digits[($0 * 7 + 3) % 16] }
      let read = (UInt8.min...UInt8.max).filter { byte in
        text[place] = byte
        let bytes = HexText.bytes(text)
        #expect(bytes == nil || HexText.text(bytes ?? []) == String(decoding: text, as: UTF8.self))
        return bytes != nil
      }
      #expect(read == digits)
    }
  }

  // The vectors of RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `base64 is written and read as the standard says`(plain: String, text: String) {
    let bytes = Array(plain.utf8)
    #expect(Base64Text.standardText(bytes) == text)
    #expect(Base64Text.urlSafeText(bytes) == text.filter { $0 != "=" })
    #expect(Base64Text.bytes(text.utf8, .standard) == bytes)
    #expect(Base64Text.bytes(text.filter { $0 != "=" }.utf8, .tolerant) == bytes)
  }

  @Test func `a web token is read in either alphabet, with padding and without`() {
    let bytes: [UInt8] = [0xfb, 0xff, 0xfe, 0x00]
    for text in ["+//+AA==", "-__-AA==", "+//+AA", "-__-AA", "+_/-AA"] {
      #expect(Base64Text.bytes(text.utf8, .tolerant) == bytes, "\(text)")
    }
    for text in ["-__-AA==", "+//+AA", "+//+AA=", "+//+AB==", "+//+A", "+//+ AA==", "+//+A=A="] {
      #expect(Base64Text.bytes(text.utf8, .standard) == nil, "\(text)")
    }
  }

  @Test func `of all texts of one length only one is read as the same bytes`() {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)
    var readings: [[UInt8]: Int] = [:]
    for first in alphabet {
      for second in alphabet {
        for third in alphabet {
          guard let bytes = Base64Text.bytes([first, second, third, 0x3d], .standard) else {
            continue
          }
          readings[bytes, default: 0] += 1
        }
      }
    }
    // One text for each byte, and one for each pair.
    #expect(readings.count == 256 + 65_536)
    #expect(readings.values.allSatisfy { $0 == 1 })
  }

  @Test func `a kind of token is read in its own form only`() {
    let secret = [UInt8](repeating: 0xfb, count: 32)
    let digest = Digest256(of: secret)
    let texts = [TokenKind.api, .web, .management].map { $0.text(secret) }
    #expect(
      texts == [
        String(repeating: "fb", count: 32),
        "-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s",
        "ctr_mgmt_" + String(repeating: "fb", count: 32),
      ])
    for (place, kind) in [TokenKind.api, .web, .management].enumerated() {
      for (other, text) in texts.enumerated() {
        #expect(kind.digest(text) == (place == other ? digest : nil))
        #expect(kind.digest(text + "A") == nil)
        #expect(kind.digest(String(text.dropLast())) == nil)
      }
      #expect(kind.digest(String(repeating: "a", count: 100_000)) == nil)
      #expect(kind.digest("") == nil)
    }
  }
}
