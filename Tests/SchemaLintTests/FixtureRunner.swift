import DataModel
import Foundation
import SchemaFormats
import SchemaLint

/// One case of a rule: a schema, what was promoted before it, and what the rule must say of it.
///
/// A case is a folder in `Tests/Fixtures/lint/<rule>`. Cases whose name begins with `fine` look
/// suspicious and are not: the rule must find nothing. All others, `bad` first, hold `expected.txt`.
///
/// ```
/// field-removed/
///   bad/   current.json  promoted/1.json  promoted/2.json  expected.txt
///   fine/  current.json  promoted/1.json
/// ```
///
/// `current` and the promoted versions, in the order of their numbers, are `.xcdatamodel` folders,
/// `.ckdb` or `.json` files. A file `profile` that says `contrail` chooses that profile; a file
/// `transformers` lists the value transformers that are known, one in a line.
struct LintFixture: Sendable, CustomStringConvertible {
  let rule: String
  let name: String
  let folder: URL

  var description: String { "\(rule)/\(name)" }

  /// Whether the rule must find nothing.
  var isFine: Bool { name.hasPrefix("fine") }

  static let root = FixtureFiles.repository.appending(path: "Tests/Fixtures/lint")

  /// The rules that have a folder.
  static func ruleFolders() throws -> [String] { try FixtureFiles.names(in: root) }

  /// The cases of one rule.
  static func cases(of rule: String) throws -> [LintFixture] {
    let folder = root.appending(path: rule)
    return try FixtureFiles.names(in: folder)
      .map { LintFixture(rule: rule, name: $0, folder: folder.appending(path: $0)) }
  }

  /// Every case of every rule; a folder that cannot be listed is an error.
  static var all: [LintFixture] {
    get throws { try ruleFolders().flatMap { try cases(of: $0) } }
  }
}

extension LintFixture {
  /// What the rule finds, a line for each finding, as `expected.txt` has it.
  func findings() throws -> [String] {
    try findings(of: Rule.all.filter { $0.id == rule }).map(Self.line)
  }

  /// What the given rules find.
  func findings(of rules: [Rule]) throws -> [Finding] {
    Linter(profile: try profile, knownTransformers: try transformers, table: rules)
      .findings(in: try current, promoted: try promoted)
  }

  /// What `expected.txt` has.
  var expected: [String] {
    get throws { try text("expected.txt").map(FixtureFiles.lines) ?? [] }
  }

  /// Writes what the rule finds over `expected.txt`.
  func writeExpected(_ lines: [String]) throws {
    try Data((lines.joined(separator: "\n") + "\n").utf8)
      .write(to: folder.appending(path: "expected.txt"))
  }

  private static func line(_ finding: Finding) -> String {
    let place = "\(finding.location.position.line):\(finding.location.position.column)"
    let against =
      finding.against.isEmpty ? "" : " (against \(finding.against.joined(separator: ", ")))"
    return
      "\(place) \(finding.severity) \(finding.rule) \(finding.subject): \(finding.message)\(against)"
  }

  var profile: LintProfile {
    get throws {
      guard let word = try text("profile")?.trimmingCharacters(in: .whitespacesAndNewlines) else {
        return .cloudkit
      }
      guard let profile = LintProfile(rawValue: word) else {
        throw FixtureProblem("\(self): \(word) is no profile")
      }
      return profile
    }
  }

  private var transformers: Set<String>? {
    get throws { try text("transformers").map { Set(FixtureFiles.lines($0)) } }
  }

  var current: SchemaDocument {
    get throws {
      let names = try FixtureFiles.names(in: folder).filter { $0.hasPrefix("current.") }
      guard let name = names.first, names.count == 1 else {
        throw FixtureProblem("\(self) must hold exactly one current schema")
      }
      return try FixtureFiles.document(folder.appending(path: name))
    }
  }

  private var promoted: [SchemaDocument] {
    get throws {
      let promoted = folder.appending(path: "promoted")
      guard FileManager.default.fileExists(atPath: promoted.path) else { return [] }
      let numbered = try FixtureFiles.names(in: promoted).map { name -> (Int, String) in
        guard let number = name.split(separator: ".").first.flatMap({ Int($0) }) else {
          throw FixtureProblem("\(self): promoted/\(name) has no number")
        }
        return (number, name)
      }
      return try numbered.sorted { $0.0 < $1.0 }
        .map { try FixtureFiles.document(promoted.appending(path: $0.1)) }
    }
  }

  private func text(_ name: String) throws -> String? {
    let url = folder.appending(path: name)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }
}

/// A fixture that is not laid out as it must be.
struct FixtureProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
