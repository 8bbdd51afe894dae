import Testing

@testable import RecordServer

/// The words by which texts are found.
@Suite struct TextWordsTests {
  @Test(arguments: [
    ("", []), ("  ,; ", []), ("D-EKQR", ["d", "ekqr"]),
    ("Runway 27L, 2 landings", ["2", "27l", "landings", "runway"]),
    ("under_score@home", ["home", "score", "under"]), ("Größere Böen", ["boen", "großere"]),
    ("caf\u{e9} Cafe\u{301}", ["cafe"]), ("新橋 Eki", ["eki", "新", "橋"]),
  ])
  func `a text's words are runs of letters and digits without case and accents`(
    text: String, words: [String]
  ) {
    #expect(Set(TextWords.of(text).map { String(decoding: $0, as: UTF8.self) }) == Set(words))
  }

  @Test func `every ASCII character is taken alike in an ASCII text and in another`() {
    for value in UInt8(0)..<0x80 {
      let text = "a" + String(UnicodeScalar(value)) + "b"
      #expect(TextWords.of(text + " \u{e9}") == TextWords.of(text).union([Array("e".utf8)]))
      let properties = Unicode.Scalar(value).properties
      let isPart = properties.isAlphabetic || properties.numericType != nil
      #expect(TextWords.of(text).count == (isPart ? 1 : 2), "\(value)")
    }
  }
}
