import DataModel

/// The words of the schema language, as tables.
enum CKDBWords {
  /// Words that are names only in quotes (Apple, "Integrating a Text-Based Schema into Your
  /// Workflow").
  static let reserved: Set<String> = ["GRANT", "PREFERRED", "QUERYABLE", "SEARCHABLE", "SORTABLE"]

  static let fieldTypes: [String: RecordSchema.FieldType] = Dictionary(
    uniqueKeysWithValues: RecordSchema.FieldType.allCases.map { ($0.rawValue, $0) })

  /// The types that may be encrypted, in the order in which a message lists them.
  static let encryptable = RecordSchema.FieldType.allCases.filter(\.canBeEncrypted)

  /// What a `NUMBER` may prefer to be.
  static let preferable: [RecordSchema.FieldType] = [.double, .int64]

  static let indexes: [(word: String, index: RecordSchema.Indexes, aspect: Aspect)] = [
    ("QUERYABLE", .queryable, .queryable), ("SEARCHABLE", .searchable, .searchable),
    ("SORTABLE", .sortable, .sortable),
  ]

  static let permissions: [(word: String, permission: RecordSchema.Permissions, aspect: Aspect)] = [
    ("READ", .read, .read), ("CREATE", .create, .create), ("WRITE", .write, .write),
  ]

  /// Words as a message lists them: `A, B or C`.
  static func choice(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Whether `name` needs no quotes.
  static func isBare(_ name: String) -> Bool {
    name.isRecordIdentifier && !reserved.contains(name.uppercased())
  }

  /// Why `name` cannot stand in a file even in quotes; nil when it can.
  static func problem(withName name: String) -> String? {
    if name.isEmpty { return "its name is empty" }
    if name.utf8.count > CKDB.Limits.nameBytesMax {
      return "its name is longer than \(CKDB.Limits.nameBytesMax) bytes"
    }
    if name.utf8.contains(UInt8(ascii: "\"")) { return "its name has a quotation mark" }
    return name.utf8.contains(where: isControl) ? "its name has a control character" : nil
  }

  static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...122).contains(byte | 0x20) }

  static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...57).contains(byte) || byte == UInt8(ascii: "_")
  }

  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7f }
}
