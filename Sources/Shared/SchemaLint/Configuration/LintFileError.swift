package import SchemaFormats

/// All that is wrong with a file that the lint reads beside the schema: its configuration, or a
/// baseline.
package struct LintFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One thing that is wrong, and where.
  package struct Problem: Hashable, Sendable, CustomStringConvertible {
    package var location: SourceLocation
    /// What is wrong with which named thing, and what would be right.
    package var message: String

    package init(location: SourceLocation, message: String) {
      self.location = location
      self.message = message
    }

    package var description: String { "\(location): error: \(message)" }
  }

  /// What is wrong, in the order of the file; never empty.
  package var problems: [Problem]

  package init(_ problems: [Problem]) {
    self.problems = problems
  }

  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
