// For the canonical decomposition, which the standard library has and does not yet offer otherwise.
@_spi(_Unicode) import Swift

/// The words of a text, by which `searchable` fields are found.
///
/// A word is a run of letters and digits in lower case without accents; an ideograph is a word by
/// itself, since such texts have no spaces.
enum TextWords {
  /// How many bytes of a word count.
  static let wordBytesMax = 64

  /// Each word once.
  static func of(_ text: String) -> Set<[UInt8]> {
    // ASCII has nothing to decompose.
    text.utf8.allSatisfy { $0 < 0x80 } ? of(text.unicodeScalars) : of(text._nfd)
  }

  private static func of(_ scalars: some Sequence<Unicode.Scalar>) -> Set<[UInt8]> {
    var words: Set<[UInt8]> = []
    var word: [UInt8] = []
    func end() {
      if !word.isEmpty { words.insert(Array(word.prefix(wordBytesMax))) }
      word.removeAll(keepingCapacity: true)
    }
    for scalar in scalars {
      // NB: Unicode's tables take a hundred times as long, and most texts are ASCII for the most part.
      if scalar.isASCII {
        if let byte = asciiLetterOrDigit(scalar) { word.append(byte) } else { end() }
        continue
      }
      let properties = scalar.properties
      if isMark(properties) { continue }
      guard properties.isAlphabetic || properties.numericType != nil else {
        end()
        continue
      }
      if properties.isIdeographic { end() }
      word.append(contentsOf: properties.lowercaseMapping.utf8)
      if properties.isIdeographic { end() }
    }
    end()
    return words
  }

  /// A letter in lower case, or a digit; nil for all else.
  private static func asciiLetterOrDigit(_ scalar: Unicode.Scalar) -> UInt8? {
    let byte = UInt8(truncatingIfNeeded: scalar.value)
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): return byte
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return byte | 0x20
    default: return nil
    }
  }

  private static func isMark(_ properties: Unicode.Scalar.Properties) -> Bool {
    properties.generalCategory == .nonspacingMark
  }
}
