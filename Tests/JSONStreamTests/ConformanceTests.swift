import FoundationEssentials
import JSONStream
import Testing

/// Every text of `Tests/Fixtures/json`.
///
/// With `UPDATE=1` in the environment the expectations are written anew, for a person to read in
/// the diff.
@Suite struct ConformanceTests {
  @Test func `texts that the grammar allows are read, and what is written reads the same`() throws {
    let cases = try FixtureFile("accept").cases
    #expect(cases.count == 98)
    for test in cases {
      #expect(outcome(test) == "accept " + (try rewritten(test)), "\(test)")
    }
  }

  @Test func `texts that the grammar forbids are refused, with the place and the reason`() throws {
    try check(FixtureFile("refuse"), count: 198)
  }

  @Test func `texts that each reader may decide about are decided as written down`() throws {
    try check(FixtureFile("either"), count: 35)
  }

  private func check(_ file: FixtureFile, count: Int) throws {
    if ProcessInfo.processInfo.environment["UPDATE"] != nil { try file.update(outcome) }
    #expect(file.cases.count == count)
    for test in file.cases { #expect(outcome(test) == test.expected, "\(test)") }
  }

  /// What the tree, the check alone and the tokens say alike: the error, or the text written again.
  private func outcome(_ test: FixtureFile.Case) -> String {
    let outcomes = [
      outcome { try rewritten(test) },
      outcome {
        try JSONReader.validate(test.bytes)
        return try rewritten(test)
      },
      outcome {
        try JSONReader.read(test.bytes) { reader in
          while try reader.next() != .end {}
        }
        return try rewritten(test)
      },
    ]
    return Set(outcomes).count == 1 ? outcomes[0] : outcomes.joined(separator: " | ")
  }

  private func outcome(_ attempt: () throws -> String) -> String {
    do {
      return "accept " + (try attempt())
    } catch {
      return "\(error)"
    }
  }

  /// The text written again, after that was read again and found the same.
  private func rewritten(_ test: FixtureFile.Case) throws -> String {
    let value = try JSONValue(reading: test.bytes)
    for style in [JSONWriter.Style.compact, .pretty] {
      let again = try value.bytes(style)
      #expect(try JSONValue(reading: again) == value, "\(test)")
    }
    return String(decoding: try value.bytes(), as: UTF8.self)
  }
}
