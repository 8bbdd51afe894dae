import DataModel
import SchemaFormats

/// Reads any bytes as `.ckdb`; what was accepted must write, and read again as the same schema.
///
/// A trap, a hang, a difference or a place outside the file is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCKDB(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  do {
    let document = try CKDB.read(bytes, file: "fuzz", label: "fuzz")
    guard case .records(let schema) = document.content else { preconditionFailure("no records") }
    checkPlaces(of: schema, in: document, of: bytes)
    guard let text = try? CKDB.text(of: schema) else {
      preconditionFailure("what was read cannot be written")
    }
    let again = try CKDB.read(Array(text.utf8), file: "again", label: "fuzz")
    precondition(again.content == document.content, "what was written reads as another schema")
  } catch {
    precondition(error.location.file == "fuzz", "what was written cannot be read: \(error)")
    check(error.location.position, in: bytes)
  }
  return 0
}

private func checkPlaces(
  of schema: RecordSchema, in document: SchemaDocument, of bytes: [UInt8]
) {
  for type in schema.types {
    check(document.location(of: .recordType(type.name)).position, in: bytes)
    for field in type.fields {
      let element = SchemaElement.field(type: type.name, name: field.name)
      check(document.location(of: element, aspect: .type).position, in: bytes)
    }
  }
}

/// Stops unless `position` is that of a byte, or of the end.
private func check(_ position: SourcePosition, in bytes: [UInt8]) {
  let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
  precondition(lines.indices.contains(position.line - 1), "line \(position.line)")
  // Columns of the first line count from after a byte order mark, so they are never too far.
  precondition((1...(lines[position.line - 1].count + 1)).contains(position.column), "column")
}
