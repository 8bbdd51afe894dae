import Foundation
import SchemaLint
import Testing

@Suite struct `The rule reference` {
  @Test func `is what the rules and their fixtures say`() throws {
    let golden = GoldenFile(
      path: "Documentation/lint-rules.md",
      command: "UPDATE=1 swift test --filter RuleReferenceTests")
    try golden.expect(RuleReference.markdown(examples: try Self.examples()))
  }

  @Test func `has a row and a section for each rule`() {
    let text = RuleReference.markdown()
    for rule in Rule.all {
      #expect(text.contains("| [\(rule.id)](#\(rule.id)) | "), "\(rule.id)")
      #expect(text.contains("\n### \(rule.id)\n"), "\(rule.id)")
    }
  }

  @Test func `leaves out examples that are too long to read in passing`() {
    let long = RuleExample(
      language: "xml", schema: String(repeating: "<a/>\n", count: 25), findings: ["1:1"])
    let short = RuleExample(language: "sql", schema: "DEFINE SCHEMA\n", findings: ["1:1"])
    let rules = [SampleReport.removed]
    #expect(!RuleReference.markdown(rules, examples: ["field-removed": long]).contains("<a/>"))
    #expect(
      RuleReference.markdown(rules, examples: ["field-removed": short])
        .contains("```sql\nDEFINE SCHEMA\n```\n\n```text\n1:1\n```"))
  }

  /// Each rule's bad case.
  static func examples() throws -> [String: RuleExample] {
    var examples: [String: RuleExample] = [:]
    for rule in try LintFixture.ruleFolders() {
      let folder = LintFixture.root.appending(path: "\(rule)/bad")
      let names = (try? FixtureFiles.names(in: folder)) ?? []
      // A rule that compares versions needs more than one file to show.
      guard let name = names.first(where: { $0.hasPrefix("current.") }),
        !names.contains("promoted"),
        let (language, file) = languages[URL(filePath: name).pathExtension]
      else { continue }
      let schema = try text(folder.appending(path: name).appending(path: file))
      let findings = FixtureFiles.lines(try text(folder.appending(path: "expected.txt")))
        .map(Self.finding)
      examples[rule] = RuleExample(language: language, schema: schema, findings: findings)
    }
    return examples
  }

  /// What a schema's text is written in, and where it stands within its package, by extension.
  private static let languages = [
    "xcdatamodel": ("xml", "contents"), "ckdb": ("sql", ""), "json": ("json", ""),
  ]

  /// `4:9 error rule Entity.property: message` as the text report begins: `4:9: error: message`.
  private static func finding(_ line: String) -> String {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count == 3, let colon = words[2].firstRange(of: ": ") else { return line }
    return "\(words[0]): \(words[1]): \(words[2][colon.upperBound...])"
  }

  private static func text(_ url: URL) throws -> String {
    String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }
}
