/// A schema file that cannot be read: where, what was expected, and what was found.
package struct SchemaFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place of the first offence.
  package var location: SourceLocation
  /// What would have been right, as the rest of "expected …".
  package var expected: String
  /// What stood there, as the rest of "found …".
  package var found: String

  package init(at location: SourceLocation, expected: String, found: String) {
    self.location = location
    self.expected = expected
    self.found = found
  }

  package var description: String { "\(location): expected \(expected), found \(found)" }
}
