import DataModel
import SchemaFormats

/// Feeds any bytes to the readers of XML, of Core Data models and of their packages.
///
/// Whatever comes, each ends with a value or a `SchemaFormatError`; and every place that either
/// names lies inside the file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXCDataModel(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let file = FuzzedFile(bytes)
  file.check { () throws(SchemaFormatError) in
    file.checkElements(of: try XMLReader.root(of: bytes, file: "fuzz"))
  }
  file.check { () throws(SchemaFormatError) in
    let document = try XCDataModel.document(contents: bytes, file: "fuzz", label: "fuzz")
    for note in document.notes { file.check(note.location.position) }
    guard case .objects(let schema) = document.content else { preconditionFailure("no objects") }
    for entity in schema.entities {
      file.check(document.location(of: .entity(entity.name)).position)
    }
  }
  file.check { () throws(SchemaFormatError) in
    let model = Array("<model/>".utf8)
    let tree = SchemaFileTree(
      path: "fuzz",
      files: [
        ".xccurrentversion": bytes, "A.xcdatamodel/contents": model,
        "A 2.xcdatamodel/contents": model,
      ])
    let package = try XCDataModel.package(from: tree)
    precondition(package.current != nil, "a package has a current version")
  }
  return 0
}

/// The bytes of one run, and where their lines end.
private struct FuzzedFile {
  private let bytes: [UInt8]
  private var lineStarts = [0]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for (offset, byte) in bytes.enumerated() {
      let isReturn = byte == 0x0D && (offset + 1 == bytes.count || bytes[offset + 1] != 0x0A)
      if byte == 0x0A || isReturn { lineStarts.append(offset + 1) }
    }
  }

  /// Runs `body`; an error that it throws must stand inside the file.
  func check(_ body: () throws(SchemaFormatError) -> Void) {
    do {
      try body()
    } catch {
      if error.location.file == "fuzz" || error.location.file.hasSuffix(".xccurrentversion") {
        check(error.location.position)
      }
    }
  }

  /// Stops unless `position` is that of a byte, or of the end.
  func check(_ position: SourcePosition) {
    precondition(lineStarts.indices.contains(position.line - 1), "line \(position.line)")
    let start = lineStarts[position.line - 1]
    let end = position.line < lineStarts.count ? lineStarts[position.line] - 1 : bytes.count
    precondition((1...(end - start + 1)).contains(position.column), "column \(position.column)")
  }

  /// Stops unless each element begins with `<` and its attributes with their names.
  func checkElements(of element: XMLElement) {
    precondition(stands("<\(element.name)", at: element.position), "<\(element.name)")
    for attribute in element.attributes {
      precondition(stands(attribute.name, at: attribute.namePosition), attribute.name)
      check(attribute.valuePosition)
    }
    for child in element.children { checkElements(of: child) }
  }

  private func stands(_ text: String, at position: SourcePosition) -> Bool {
    check(position)
    let start = lineStarts[position.line - 1] + position.column - 1
    return bytes[start...].starts(with: text.utf8)
  }
}
