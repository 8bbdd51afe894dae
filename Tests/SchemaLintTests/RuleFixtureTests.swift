import Foundation
import SchemaLint
import Testing

@Suite struct `The rules` {
  @Test(arguments: try LintFixture.all)
  func `find what their fixtures expect and nothing else`(_ fixture: LintFixture) throws {
    let found = try fixture.findings()
    if fixture.isFine {
      #expect(found == [])
    } else if ProcessInfo.processInfo.environment["UPDATE"] == "1" {
      try fixture.writeExpected(found)
    } else {
      #expect(found == (try fixture.expected))
      #expect(!found.isEmpty, "a bad case without findings proves nothing")
    }
  }

  @Test func `each have a bad and a fine case, and no folder is without its rule`() throws {
    let folders = try LintFixture.ruleFolders()
    #expect(Set(folders) == Set(Rule.all.map(\.id)))
    for rule in folders {
      let cases = try LintFixture.cases(of: rule)
      #expect(cases.contains { $0.name == "bad" }, "\(rule) has no folder bad")
      #expect(cases.contains { $0.name == "fine" }, "\(rule) has no folder fine")
    }
  }

  @Test func `each have a file of their own name in the folder of their category`() throws {
    let rules = FixtureFiles.repository.appending(path: "Sources/Shared/SchemaLint/Rules")
    let files = try Self.folders.flatMap { category, folder in
      try FixtureFiles.names(in: rules.appending(path: folder)).map { "\(category): \($0)" }
    }
    #expect(files.sorted() == Rule.all.map { "\($0.category): \(Self.fileName($0.id))" }.sorted())
  }

  @Test func `are each in the table once, under their category`() {
    #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
    #expect(Rule.validators.allSatisfy { $0.category == .validator })
    #expect(Rule.pitfalls.allSatisfy { $0.category == .pitfall })
    #expect(Rule.additive.allSatisfy { $0.category == .additive })
  }

  @Test(arguments: Rule.all.map(\.id))
  func `explain themselves in sentences`(_ id: String) throws {
    let rule = try #require(Rule.all.first { $0.id == id })
    #expect(rule.summary.first?.isUppercase == true && rule.summary.hasSuffix("."))
    for text in [rule.why, rule.fix] {
      let beginsWithName = ["CloudKit ", "SQLite "].contains { text.hasPrefix($0) }
      #expect(text.first?.isLowercase == true || beginsWithName, "\(text)")
      #expect(!text.hasSuffix("."), "\(text)")
    }
    #expect(!rule.severity.isEmpty)
    #expect(id.allSatisfy { $0.isLowercase || $0 == "-" })
  }

  private static let folders: [Rule.Category: String] = [
    .validator: "Validators", .pitfall: "Pitfalls", .additive: "Additive",
  ]

  /// `field-removed` stands in `FieldRemoved.swift`.
  private static func fileName(_ id: String) -> String {
    id.split(separator: "-").map(\.localizedCapitalized).joined() + ".swift"
  }
}
