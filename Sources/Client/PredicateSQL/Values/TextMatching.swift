extension QueryExpression.TextRelation {
  /// Whether `text` relates so to `other`, character by character.
  ///
  /// A character is what a reader takes for one: "e" is not in "e\u{301}", nor "\n" in "\r\n".
  func holds(
    _ text: String, _ other: String, _ options: QueryExpression.TextOptions = []
  ) -> Bool {
    let text = text.folded(options)
    let other = other.folded(options)
    switch self {
    case .equal: return text == other
    case .contains: return matches(text, other, PlainSearch.contains, PlainSearch.contains)
    case .begins: return matches(text, other, PlainSearch.begins, PlainSearch.begins)
    case .ends: return matches(text, other, PlainSearch.ends, PlainSearch.ends)
    case .like:
      return matches(text, other, { PlainSearch.like($0, $1, star: 0x2a, one: 0x3f) }) {
        PlainSearch.like($0, $1, star: "*", one: "?")
      }
    }
  }

  /// Compares bytes where both texts are plain, characters elsewhere.
  private func matches(
    _ text: String, _ other: String,
    _ bytes: (ContiguousArray<UInt8>, ContiguousArray<UInt8>) -> Bool,
    _ characters: (ContiguousArray<Character>, ContiguousArray<Character>) -> Bool
  ) -> Bool {
    text.isPlain && other.isPlain
      ? bytes(ContiguousArray(text.utf8), ContiguousArray(other.utf8))
      : characters(ContiguousArray(text), ContiguousArray(other))
  }
}

/// Searches in arrays of bytes or characters.
private enum PlainSearch {
  static func begins<Unit: Equatable>(
    _ text: ContiguousArray<Unit>, _ part: ContiguousArray<Unit>
  ) -> Bool {
    text.starts(with: part)
  }

  static func ends<Unit: Equatable>(
    _ text: ContiguousArray<Unit>, _ part: ContiguousArray<Unit>
  ) -> Bool {
    part.count <= text.count && text.suffix(part.count).elementsEqual(part)
  }

  static func contains<Unit: Equatable>(
    _ text: ContiguousArray<Unit>, _ part: ContiguousArray<Unit>
  ) -> Bool {
    guard let first = part.first else { return true }
    guard part.count <= text.count else { return false }
    for start in 0...(text.count - part.count) where text[start] == first {
      if text[start..<(start + part.count)].elementsEqual(part) { return true }
    }
    return false
  }

  /// Whether a text matches a pattern; goes back to the last star only, so that the time is the
  /// product of the lengths at most.
  static func like<Unit: Equatable>(
    _ text: ContiguousArray<Unit>, _ pattern: ContiguousArray<Unit>, star: Unit, one: Unit
  ) -> Bool {
    var (place, at) = (0, 0)
    var (lastStar, lastPlace) = (-1, 0)
    while place < text.count {
      if at < pattern.count && pattern[at] == star {
        (lastStar, lastPlace) = (at, place)
        at += 1
      } else if at < pattern.count && (pattern[at] == one || pattern[at] == text[place]) {
        (place, at) = (place + 1, at + 1)
      } else if lastStar >= 0 {
        lastPlace += 1
        (place, at) = (lastPlace, lastStar + 1)
      } else {
        return false
      }
    }
    while at < pattern.count && pattern[at] == star { at += 1 }
    return at == pattern.count
  }
}
