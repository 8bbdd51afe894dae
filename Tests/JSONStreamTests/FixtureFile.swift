import FoundationEssentials

/// A file of `Tests/Fixtures/json`; see the README there for its form.
struct FixtureFile {
  struct Case: CustomStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// The line of the file that gives the bytes.
    let line: String
    /// The indented line below it.
    var expected: String?

    var description: String { name }
  }

  struct Malformed: Error { let line: String }

  /// The cases, and between them the lines that are none.
  private enum Part {
    case other(String)
    case test(Case)
  }

  private let url: URL
  private var parts: [Part] = []

  init(_ name: String, of file: String = #filePath) throws {
    url = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/json/\(name).txt")
    let text = try String(decoding: Data(contentsOf: url), as: UTF8.self)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("  "), case .test(var test) = parts.last {
        test.expected = String(line.dropFirst(2))
        parts[parts.count - 1] = .test(test)
      } else if line.isEmpty || line.hasPrefix("#") {
        parts.append(.other(line))
      } else {
        parts.append(.test(try Self.testCase(line)))
      }
    }
  }

  var cases: [Case] {
    parts.compactMap { if case .test(let test) = $0 { test } else { nil } }
  }

  /// Writes the file again with what `describe` says of each case.
  func update(_ describe: (Case) -> String) throws {
    let lines = parts.flatMap { part in
      switch part {
      case .other(let line): [line]
      case .test(let test): [test.line, "  " + describe(test)]
      }
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: url)
  }

  private static func testCase(_ line: String) throws -> Case {
    guard let colon = line.firstRange(of: ": ") else { throw Malformed(line: line) }
    return Case(
      name: String(line[..<colon.lowerBound]), bytes: try bytes(String(line[colon.upperBound...])),
      line: line)
  }

  private static func bytes(_ text: String) throws -> [UInt8] {
    let words = text.split(separator: " ", maxSplits: 2).map(String.init)
    switch words.first {
    case "hex":
      return try hexadecimal(text.dropFirst(4))
    case "nest":
      guard words.count == 2, let count = Int(words[1]) else { break }
      return Array(String(repeating: "[", count: count).utf8)
        + Array(String(repeating: "]", count: count).utf8)
    case "repeat":
      let bars = words.count == 3 ? words[2].split(separator: "|", maxSplits: 2) : []
      guard let part = bars.first, let count = Int(words[1]) else { break }
      let rest = try hexadecimal(bars.dropFirst().first ?? "")
      return Array(String(repeating: String(part), count: count).utf8) + rest
    default:
      guard text.count >= 2, text.hasPrefix("|"), text.hasSuffix("|") else { break }
      return Array(text.dropFirst().dropLast().utf8)
    }
    throw Malformed(line: text)
  }

  private static func hexadecimal(_ text: Substring) throws -> [UInt8] {
    try text.split(separator: " ").map { pair in
      guard let byte = UInt8(pair, radix: 16) else { throw Malformed(line: String(text)) }
      return byte
    }
  }
}
