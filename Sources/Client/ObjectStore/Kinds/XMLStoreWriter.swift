import DataModel
import SchemaFormats

/// Writes an image as the text of an XML store.
struct XMLStoreWriter {
  private var bytes: [UInt8] = []
  private var elementCount = 0
  /// A name that XML has no characters for.
  private var unwritable: String?

  static func bytes(
    of image: StoreImage, _ layout: StoreLayout, subject: String
  ) throws -> [UInt8] {
    var writer = XMLStoreWriter()
    writer.bytes += Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    writer.open(
      XMLStoreFormat.root, 0,
      [("format", "\(XMLStoreFormat.version)"), ("tables", "\(image.tablesFormat)")])
    for table in image.ownTables { writer.own(table) }
    writer.open("objects", 1, [])
    let roots = layout.entities.filter { $0.root == $0.index }
    for (root, table) in zip(roots, image.objectTables) { writer.objects(table, root, layout) }
    writer.close("objects", 1)
    for table in image.objectTables.dropFirst(roots.count) { writer.pairs(table) }
    writer.close(XMLStoreFormat.root, 0)
    if let name = writer.unwritable {
      throw StoreError(
        .writeFailed, subject, "cannot hold the name \(name.debugDescription)",
        fix: "rename it, or use a store of another kind")
    }
    // What could not be read again must not be written.
    let limits = XMLStoreFormat.limits
    guard writer.bytes.count <= limits.bytesMax, writer.elementCount <= limits.elementsMax else {
      throw StoreError(
        .writeFailed, subject,
        "is too large for an XML store: \(writer.bytes.count) bytes and \(writer.elementCount) "
          + "elements, of at most \(limits.bytesMax) and \(limits.elementsMax)",
        fix: "copy it to an SQLite store")
    }
    return writer.bytes
  }
}

extension XMLStoreWriter {
  private mutating func own(_ table: StoreImage.Table) {
    var attributes = [("name", table.name)]
    if table.isWithoutRowID && table.isDescribed { attributes.append(("without-rowid", "true")) }
    open("table", 1, attributes)
    if table.isDescribed {
      for column in table.columns {
        var attributes = [("name", column.name), ("type", column.type)]
        if column.isNotNull { attributes.append(("not-null", "true")) }
        if column.keyPosition > 0 { attributes.append(("key", "\(column.keyPosition)")) }
        empty("column", 2, attributes)
      }
    }
    for row in 0..<table.rowCount { own(table, row) }
    close("table", 1)
  }

  private mutating func own(_ table: StoreImage.Table, _ row: Int) {
    var attributes: [(String, String)] = []
    var values: [(column: String, cell: XMLCell, text: String)] = []
    for (column, value) in zip(table.columns, table.row(row)) {
      let plain = Self.attributeCells[column.type]
      if let text = plain?.text(value), !EscapedText.isNeeded(text),
        XMLStoreFormat.isName(column.name)
      {
        attributes.append((column.name, text))
      } else if let cell = XMLCell.storage(of: value), let text = cell.text(value) {
        values.append((column.name, cell, text))
      }
    }
    let name = XMLStoreFormat.rowName(table.name)
    if values.isEmpty { return empty(name, 2, attributes) }
    open(name, 2, attributes)
    for value in values { self.value(("name", value.column), value.cell, value.text) }
    close(name, 2)
  }

  /// What an attribute of a row says, by the declared type of the column.
  static let attributeCells: [String: XMLCell] = [
    "INTEGER": "integer", "REAL": "real", "TEXT": "text", "BLOB": "bytes",
  ].compactMapValues { XMLCell.stored[$0] }

  private mutating func objects(
    _ table: StoreImage.Table, _ root: EntityLayout, _ layout: StoreLayout
  ) {
    let places = Dictionary(
      table.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for row in 0..<table.rowCount {
      let cells = Array(table.row(row))
      func cell(_ column: String) -> FieldValue { places[column].map { cells[$0] } ?? .null }
      var entity = root
      if root.sharesTable, case .integer(let number) = cell(SystemColumn.entity),
        let found = layout.entity(number: Int(clamping: number))
      {
        entity = found
      }
      open(
        "object", 2,
        [
          ("entity", entity.name), ("id", Self.shown(cell(SystemColumn.key))),
          ("version", Self.shown(cell(SystemColumn.version))),
        ])
      for index in entity.columnSlots {
        let slot = entity.slots[index]
        // A name that a child and its parent both give to a property means only the first of them.
        let isNamed = entity.slot(slot.name) == index
        let name = isNamed ? ("name", slot.name) : ("column", slot.column ?? "")
        property(slot, name, cell(slot.column ?? ""), layout)
      }
      close("object", 2)
    }
  }

  private mutating func property(
    _ slot: Slot, _ name: (String, String), _ value: FieldValue, _ layout: StoreLayout
  ) {
    if let relationship = slot.relationship, case .integer(let key) = value {
      let destination = layout.entities[relationship.destination].name
      return empty("reference", 3, [name, ("entity", destination), ("id", "\(key)")])
    }
    let typed = (slot.attribute?.type.rawValue).flatMap { XMLCell.typed[$0] }
    for cell in [typed, XMLCell.storage(of: value)] {
      guard let cell, let text = cell.text(value) else { continue }
      return self.value(name, cell, text)
    }
  }

  private mutating func pairs(_ table: StoreImage.Table) {
    open("pairs", 1, [("table", table.name)])
    for row in 0..<table.rowCount {
      let attributes = zip(table.columns, table.row(row)).compactMap { column, value in
        value == .null
          ? nil : (column.name.replacing("_", with: "-"), Self.shown(value))
      }
      empty("pair", 2, attributes)
    }
    close("pairs", 1)
  }

  private static func shown(_ value: FieldValue) -> String {
    if case .integer(let number) = value { "\(number)" } else { "" }
  }
}

extension XMLStoreWriter {
  private mutating func value(_ name: (String, String), _ cell: XMLCell, _ text: String) {
    let isEscaped = EscapedText.isNeeded(text)
    start("value", 3)
    attribute(name.0, name.1)
    attribute("type", cell.type)
    if isEscaped { attribute("escaped", "true") }
    bytes.append(UInt8(ascii: ">"))
    append(isEscaped ? EscapedText.escaped(text) : text, isAttribute: false)
    bytes += Array("</value>\n".utf8)
  }

  private mutating func open(_ name: String, _ depth: Int, _ attributes: [(String, String)]) {
    start(name, depth)
    for (name, value) in attributes { attribute(name, value) }
    bytes += Array(">\n".utf8)
  }

  private mutating func empty(_ name: String, _ depth: Int, _ attributes: [(String, String)]) {
    start(name, depth)
    for (name, value) in attributes { attribute(name, value) }
    bytes += Array("/>\n".utf8)
  }

  private mutating func close(_ name: String, _ depth: Int) {
    indent(depth)
    bytes += Array("</\(name)>\n".utf8)
  }

  private mutating func start(_ name: String, _ depth: Int) {
    elementCount += 1
    indent(depth)
    bytes.append(UInt8(ascii: "<"))
    bytes += name.utf8
  }

  private mutating func indent(_ depth: Int) {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }

  private mutating func attribute(_ name: String, _ value: String) {
    if EscapedText.isNeeded(value) { unwritable = value }
    bytes.append(UInt8(ascii: " "))
    bytes += name.utf8
    bytes += Array("=\"".utf8)
    append(value, isAttribute: true)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends text; what a reader would take for markup, or for other white space, as references.
  private mutating func append(_ text: String, isAttribute: Bool) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
      case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
      case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
      case UInt8(ascii: "\r"): bytes += Array("&#13;".utf8)
      case UInt8(ascii: "\"") where isAttribute: bytes += Array("&quot;".utf8)
      case UInt8(ascii: "\n") where isAttribute: bytes += Array("&#10;".utf8)
      case UInt8(ascii: "\t") where isAttribute: bytes += Array("&#9;".utf8)
      default: bytes.append(byte)
      }
    }
  }
}
