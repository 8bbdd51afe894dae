/// A schema that breaks a rule, and what the lint says of it: taken from the rule's fixtures.
package struct RuleExample: Hashable, Sendable {
  /// What the schema is written in, as Markdown names it: `xml`, `json`, `sql`.
  package var language: String
  /// The schema's text.
  package var schema: String
  /// What the lint finds, a line for each finding.
  package var findings: [String]

  package init(language: String, schema: String, findings: [String]) {
    self.language = language
    self.schema = schema
    self.findings = findings
  }

  /// A schema with more lines shows less than it hides.
  package static let schemaLinesMax = 24

  /// Whether it is short enough to read in passing.
  package var isSimple: Bool {
    schema.split(separator: "\n").count <= Self.schemaLinesMax && !findings.isEmpty
  }
}
