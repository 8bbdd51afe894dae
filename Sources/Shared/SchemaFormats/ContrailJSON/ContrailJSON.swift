package import DataModel
import JSONStream

/// Contrail's own text of a schema, for files that people keep in git.
///
/// The same schema always gives the same bytes: keys stand in a fixed order, parts are sorted by name,
/// what is as by default is left out, and each thing that can change has a line of its own.
package enum ContrailJSON {
  /// The version of the format that is written, and the only one that is read.
  package static let version: Int64 = 1

  /// How much a file may hold, so that reading a hostile one costs bounded time and memory.
  package enum Limits {
    /// The longest file, in bytes.
    package static let fileBytesMax = 16 << 20
    /// How many objects and arrays may be open at once.
    package static let depthMax = 128
    /// How deep composites and lists may stand within a default value.
    package static let valueDepthMax = 32
  }

  /// Reads a file; stops at the first offence.
  package static func read(
    _ bytes: [UInt8], file: String, label: String
  ) throws(SchemaFormatError) -> SchemaDocument {
    var reading = ContrailJSONReading(bytes, file: file)
    let root = try reading.root()
    let content = try reading.content(of: root)
    let document = SchemaDocument(
      file: file, label: label, content: content, sources: reading.sources)
    try document.refuseDeepInheritance()
    return document
  }

  /// The canonical text of a schema, with a line break at its end.
  package static func text(
    of content: SchemaDocument.Content
  ) throws(UnwritableSchema) -> String {
    switch content {
    case .objects(let schema): try text(of: schema)
    case .records(let records): try text(of: records)
    }
  }

  /// The canonical text of a schema's objects.
  package static func text(of schema: Schema) throws(UnwritableSchema) -> String {
    try ContrailJSONCheck().check(schema)
    return try text(.objects, JSONRow.members(of: schema, by: SchemaRows.rows))
  }

  /// The canonical text of a schema's records.
  package static func text(of records: RecordSchema) throws(UnwritableSchema) -> String {
    try ContrailJSONCheck().check(records)
    return try text(.records, JSONRow.members(of: records, by: RecordRows.rows))
  }

  /// What a file holds, as the value of its key `kind`.
  enum Kind: String, CaseIterable {
    case objects, records
  }

  private static func text(
    _ kind: Kind, _ members: [JSONMember]
  ) throws(UnwritableSchema) -> String {
    let head = [
      JSONMember("contrail", .init(.number(.integer(version)))),
      JSONMember("kind", .init(.string(kind.rawValue))),
    ]
    do {
      let bytes = try JSONValue(.object(head + members)).bytes(.pretty)
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      // Only numbers that JSON cannot say end here, and none are made: see `FieldValueJSON`.
      throw UnwritableSchema(element: .schema, format: "JSON", reason: "\(error.found)")
    }
  }
}
