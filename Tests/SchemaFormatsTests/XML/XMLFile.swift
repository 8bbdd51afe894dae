import SchemaFormats

/// Reads XML that a test spells out.
enum XMLFile {
  /// The root element of `text`, which errors call `note.xml`.
  static func root(
    _ text: String, limits: XMLLimits = XMLLimits()
  ) throws(SchemaFormatError) -> XMLElement {
    try XMLReader.root(of: Array(text.utf8), file: "note.xml", limits: limits)
  }
}
