import Foundation

extension String {
  /// Whether every character is of ASCII, and none is of two code units (as CR LF is): then bytes
  /// compare as characters do.
  var isPlain: Bool {
    utf8.allSatisfy { $0 < 0x80 && $0 != 0x0d }
  }

  /// The text in normalization form C, in which equal texts have equal bytes.
  var normalized: String { isPlain ? self : precomposedStringWithCanonicalMapping }

  /// The text without the differences that do not count.
  ///
  /// Case is folded by making letters large and then small, so that "ß" is "ss" and "ς" is "σ". Marks
  /// are taken from letters of the Latin, Greek and Cyrillic scripts only: elsewhere they are no
  /// decoration, "か" and "が" are different syllables.
  func folded(_ options: QueryExpression.TextOptions) -> String {
    if options.isEmpty { return self }
    if isPlain { return options.contains(.caseInsensitive) ? asciiLowercased : self }
    var scalars = String.UnicodeScalarView()
    var isMarkRemovable = false
    for scalar in decomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar.properties.generalCategory == .nonspacingMark {
        if isMarkRemovable && options.contains(.diacriticInsensitive) { continue }
      } else {
        isMarkRemovable = scalar.value < 0x530
      }
      if options.contains(.caseInsensitive) {
        for large in scalar.properties.uppercaseMapping.unicodeScalars {
          scalars.append(contentsOf: large.properties.lowercaseMapping.unicodeScalars)
        }
      } else {
        scalars.append(scalar)
      }
    }
    return String(scalars).precomposedStringWithCanonicalMapping
  }

  private var asciiLowercased: String {
    let hasLarge = utf8.contains { $0 >= 0x41 && $0 <= 0x5a }
    if !hasLarge { return self }
    return String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 + 0x20 : $0 }, as: UTF8.self)
  }

  /// Whether the text comes before another: by the bytes of their normalization forms C, so that the
  /// order is total and agrees with equality.
  ///
  /// NB: not by `<`. With Swift 6.3, "e\u{301}" and "\u{e9}{" are neither less than each other nor
  /// equal. Between texts in form C this is the order of `<`.
  func precedes(_ other: String) -> Bool {
    normalized.utf8.lexicographicallyPrecedes(other.normalized.utf8)
  }
}

/// How two values are ordered: -1, 0 or 1.
func order(_ left: String, _ right: String, _ options: QueryExpression.TextOptions) -> Int {
  // Without options, texts are ordered as in a dictionary: what is alike but for case and marks
  // stands together.
  let isDictionary = options.isEmpty
  let options = isDictionary ? QueryExpression.TextOptions.standard : options
  let (a, b) = (left.folded(options), right.folded(options))
  if a.precedes(b) { return -1 }
  if b.precedes(a) { return 1 }
  if !isDictionary || left == right { return 0 }
  return left.precedes(right) ? -1 : 1
}
