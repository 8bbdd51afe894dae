package import DataModel

/// A part of a schema that a format has no words for.
package struct UnwritableSchema: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part.
  package var element: SchemaElement
  /// The format, as files of it are called.
  package var format: String
  /// Why it cannot be written, as a sentence without a full stop.
  package var reason: String

  package var description: String { "cannot write \(element) as \(format): \(reason)" }
}
