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
    var words: Set<[UInt8]> = []
    var word: [UInt8] = []
    func end() {
      if !word.isEmpty { words.insert(Array(word.prefix(wordBytesMax))) }
      word.removeAll(keepingCapacity: true)
    }
    for scalar in text._nfd {
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

  private static func isMark(_ properties: Unicode.Scalar.Properties) -> Bool {
    properties.generalCategory == .nonspacingMark
  }
}
