import DataModel
import SchemaFormats

/// Reads any bytes as Contrail JSON; what was accepted must write, and read again as the same schema,
/// whose text is then the same.
///
/// Schemas of objects are mapped to records too. A trap, a hang, a difference or a place outside the
/// file is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzContrailJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  do {
    let content = try ContrailJSON.read(bytes, file: "fuzz", label: "fuzz").content
    guard let text = try? ContrailJSON.text(of: content) else {
      preconditionFailure("what was read cannot be written")
    }
    let again = try ContrailJSON.read(Array(text.utf8), file: "again", label: "fuzz").content
    precondition(again == content, "what was written reads as another schema")
    guard let same = try? ContrailJSON.text(of: again), same == text else {
      preconditionFailure("the same schema has two texts")
    }
    if case .objects(let schema) = content { checkMappings(of: schema) }
  } catch {
    precondition(error.location.file == "fuzz", "what was written cannot be read: \(error)")
    check(error.location.position, in: bytes)
  }
  return 0
}

/// Stops unless every record type and field that is traced to a part of the schema exists.
private func checkMappings(of schema: Schema) {
  for profile in MappingProfile.allCases {
    let mapping = schema.mapped(profile)
    for element in mapping.origins.keys {
      switch element {
      case .recordType(let type): precondition(mapping.schema.type(type) != nil, type)
      case .field(let type, let name):
        precondition(mapping.schema.type(type)?.field(name) != nil, name)
      default: preconditionFailure("an origin of \(element)")
      }
    }
  }
}

/// Stops unless `position` is that of a byte, or of the end.
private func check(_ position: SourcePosition, in bytes: [UInt8]) {
  var starts = [0]
  for (offset, byte) in bytes.enumerated() {
    let isReturn = byte == 0x0D && (offset + 1 == bytes.count || bytes[offset + 1] != 0x0A)
    if byte == 0x0A || isReturn { starts.append(offset + 1) }
  }
  precondition(starts.indices.contains(position.line - 1), "line \(position.line)")
  let end = position.line < starts.count ? starts[position.line] - 1 : bytes.count
  precondition((1...(end - starts[position.line - 1] + 1)).contains(position.column), "column")
}
