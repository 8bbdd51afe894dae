package import DataModel

/// The CloudKit schema language, the text of a `.ckdb` file.
///
/// Reading takes everything that the grammar allows: keywords in any case, comments anywhere, options
/// in any order, needless quotes. Writing gives the one layout in which CloudKit exports a schema.
package enum CKDB {
  /// How much a file may hold, so that reading a hostile one costs bounded time and memory.
  package enum Limits {
    /// The longest file, in bytes.
    package static let fileBytesMax = 16 << 20
    /// The longest name of a type, field or role, in bytes.
    package static let nameBytesMax = 1_024
  }

  /// Reads the text of a `.ckdb` file; stops at the first offence.
  ///
  /// Two types, fields or roles of one name are an offence. Several grants to one role are not: the
  /// role has what any of them gives, as CloudKit adds permissions up.
  package static func read(
    _ bytes: [UInt8], file: String, label: String
  ) throws(SchemaFormatError) -> SchemaDocument {
    var parser = try CKDBParser(bytes, file: file)
    try parser.parseSchema()
    return SchemaDocument(
      file: file, label: label,
      content: .records(RecordSchema(roles: parser.roles, types: parser.types)),
      sources: parser.sources)
  }

  /// The schema in the layout of CloudKit's own export.
  package static func text(of schema: RecordSchema) throws(UnwritableSchema) -> String {
    var writer = CKDBWriter()
    try writer.write(schema)
    return writer.text
  }
}
