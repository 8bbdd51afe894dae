import JSONStream
import SchemaFormats

/// Reads a JSON file strictly, and goes on after a problem, so that all of them are told at once.
struct LintFileReader {
  let file: String
  private let bytes: [UInt8]
  private var lineStarts = [0]
  private(set) var problems: [LintFileError.Problem] = []

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    for (offset, byte) in bytes.enumerated() {
      // Lines end as `JSONPosition` counts them: with LF, CR, or CR LF.
      let isLoneReturn =
        byte == UInt8(ascii: "\r")
        && (offset + 1 == bytes.count || bytes[offset + 1] != UInt8(ascii: "\n"))
      if byte == UInt8(ascii: "\n") || isLoneReturn { lineStarts.append(offset + 1) }
    }
  }

  /// The whole file as a value; a text that is no JSON is one problem, since nothing after it can be
  /// trusted.
  func root() throws(LintFileError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(reading: bytes)
    } catch {
      throw LintFileError([
        LintFileError.Problem(
          location: location(error.position),
          message: "expected \(error.expected), found \(error.found)")
      ])
    }
  }

  /// Throws what was found, if anything was.
  func finish() throws(LintFileError) {
    guard !problems.isEmpty else { return }
    let inOrder = problems.enumerated().sorted {
      ($0.element.location.position, $0.offset) < ($1.element.location.position, $1.offset)
    }
    throw LintFileError(inOrder.map(\.element))
  }

  mutating func report(_ message: String, at position: JSONPosition?) {
    problems.append(LintFileError.Problem(location: location(position), message: message))
  }

  /// A place in this file; columns count bytes, as they do in schema files.
  func location(_ position: JSONPosition?) -> SourceLocation {
    guard let position, lineStarts.indices.contains(position.line - 1) else {
      return SourceLocation(file: file, position: SourcePosition(line: 1, column: 1))
    }
    let lineStart = lineStarts[position.line - 1]
    return SourceLocation(
      file: file,
      position: SourcePosition(line: position.line, column: position.offset - lineStart + 1))
  }
}

extension LintFileReader {
  /// The members of an object, those with unknown keys reported and left out.
  mutating func members(
    of value: JSONValue, _ name: String, known keys: [String]
  ) -> [JSONMember]? {
    anyMembers(of: value, name)?.filter { member in
      guard !keys.contains(member.key) else { return true }
      let question = NearestName.question(for: member.key, among: keys)
      let help = question.isEmpty ? "; known are \(keys.joined(separator: ", "))" : question
      report("unknown key '\(member.key)' in \(name)\(help)", at: member.keyPosition)
      return false
    }
  }

  /// The members of an object, whatever their keys.
  mutating func anyMembers(of value: JSONValue, _ name: String) -> [JSONMember]? {
    expect(value.members, value, name, "an object")
  }

  mutating func elements(of value: JSONValue, _ name: String) -> [JSONValue]? {
    expect(value.elements, value, name, "an array")
  }

  /// A text that is not empty.
  mutating func text(_ value: JSONValue, _ name: String) -> String? {
    guard let text = expect(value.string, value, name, "a string") else { return nil }
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      report("\(name) is empty", at: value.position)
      return nil
    }
    return text
  }

  mutating func texts(_ value: JSONValue, _ name: String) -> [String]? {
    elements(of: value, name)?.compactMap { text($0, "an entry of \(name)") }
  }

  /// One of the words of an enumeration.
  mutating func word<Word: CaseIterable & RawRepresentable<String>>(
    _ value: JSONValue, _ name: String, of type: Word.Type
  ) -> Word? {
    guard let text = text(value, name) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    report("\(name) is '\(text)', but must be \(words.inWords)", at: value.position)
    return nil
  }

  private mutating func expect<Wanted>(
    _ wanted: Wanted?, _ value: JSONValue, _ name: String, _ type: String
  ) -> Wanted? {
    if wanted == nil {
      report("\(name) must be \(type), not \(value.typeInWords)", at: value.position)
    }
    return wanted
  }
}

extension [String] {
  /// `a, b or c`.
  var inWords: String {
    guard let last, count > 1 else { return joined() }
    return "\(dropLast().joined(separator: ", ")) or \(last)"
  }
}

extension JSONValue {
  fileprivate var typeInWords: String {
    switch type {
    case .null: "null"
    case .boolean: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
