import Glibc

/// A record's name that is told from others by its bytes, as storages tell them.
///
/// Two texts are equal in Swift when they look alike: sets of texts would take two spellings of one letter
/// for one record.
struct ExactName: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactName, right: ExactName) -> Bool {
    areEqual(left.text, right.text)
  }

  /// Whether two texts have the same bytes.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    // NB: nearly all texts lie in one piece, and comparing those takes a tenth of the time.
    let areEqual = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
      }
    }
    return (areEqual ?? nil) ?? left.utf8.elementsEqual(right.utf8)
  }
}
