package enum ContrailJSON {
  package static func read(_ bytes: [UInt8], file: String, label: String) throws -> SchemaDocument {
    throw SchemaFormatError(
      at: SourceLocation(file: file, position: SourcePosition(line: 1, column: 1)), expected: "",
      found: "")
  }
  package static func text(of content: SchemaDocument.Content) throws -> String { "" }
}
