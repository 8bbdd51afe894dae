package import DataModel

/// A schema that was read from a file, with the place of each of its parts in that file.
package struct SchemaDocument: Sendable {
  /// What a file can hold.
  package enum Content: Hashable, Sendable {
    /// Entities and relationships: `.xcdatamodel`, Contrail JSON.
    case objects(Schema)
    /// Record types and fields: `.ckdb`, Contrail JSON.
    case records(RecordSchema)
  }

  /// The file, by the path that the user gave, with the path within a package appended.
  package var file: String
  /// What to call this version of the schema, such as `FlightLog 2`.
  package var label: String
  /// The schema.
  package var content: Content
  /// Where its parts stand.
  package var sources: SourceMap
  /// What the file holds that the model has no place for.
  package var notes: [SchemaNote]

  package init(
    file: String, label: String, content: Content, sources: SourceMap = SourceMap(),
    notes: [SchemaNote] = []
  ) {
    self.file = file
    self.label = label
    self.content = content
    self.sources = sources
    self.notes = notes
  }

  /// The place of `element`, or of the nearest part that it belongs to; line 1 when nothing is known.
  package func location(of element: SchemaElement, aspect: Aspect? = nil) -> SourceLocation {
    var next: SchemaElement? = element
    while let current = next {
      if let position = sources.position(of: current, aspect: current == element ? aspect : nil) {
        return SourceLocation(file: file, position: position)
      }
      next = current.owner
    }
    return SourceLocation(file: file, position: SourcePosition(line: 1, column: 1))
  }
}

/// A line and a column, both from 1; columns count bytes of UTF-8.
package struct SourcePosition: Hashable, Sendable, Comparable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A place in a file.
package struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  package var position: SourcePosition

  package init(file: String, position: SourcePosition) {
    self.file = file
    self.position = position
  }

  package var description: String { "\(file):\(position.line):\(position.column)" }
}

/// Where the parts of a schema stand in their file.
package struct SourceMap: Sendable {
  private struct Entry: Sendable {
    var position: SourcePosition
    var aspects: [(aspect: Aspect, position: SourcePosition)]
  }

  private var entries: [SchemaElement: Entry] = [:]

  package init() {}

  /// Notes where `element` stands, and where the features stand that its file spells out.
  package mutating func record(
    _ element: SchemaElement, at position: SourcePosition,
    aspects: [(aspect: Aspect, position: SourcePosition)] = []
  ) {
    entries[element] = Entry(position: position, aspects: aspects)
  }

  /// The place of `element`, of the given feature where the file spells it out.
  package func position(of element: SchemaElement, aspect: Aspect? = nil) -> SourcePosition? {
    guard let entry = entries[element] else { return nil }
    return entry.aspects.first { $0.aspect == aspect }?.position ?? entry.position
  }
}

/// Something in a schema file that was passed over: what and where, as a sentence.
package struct SchemaNote: Hashable, Sendable {
  package var location: SourceLocation
  package var message: String

  package init(location: SourceLocation, message: String) {
    self.location = location
    self.message = message
  }
}
