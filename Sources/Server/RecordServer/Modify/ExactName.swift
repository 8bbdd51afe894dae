/// A record's name that is told from others by its bytes, as storages tell them.
///
/// Two texts are equal in Swift when they look alike: sets of texts would take two spellings of one letter
/// for one record.
struct ExactName: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }
}
