/// A record's name as a key.
///
/// Names are the same where their bytes are: Swift takes composed and decomposed letters for equal, and servers do not.
struct NameKey: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: NameKey, right: NameKey) -> Bool { left.text.isSameName(right.text) }
}
