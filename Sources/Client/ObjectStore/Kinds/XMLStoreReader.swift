import DataModel
import SchemaFormats

/// Reads the text of an XML store strictly: what it does not know, or would not write, is an error with
/// line and column.
struct XMLStoreReader {
  let subject: String

  /// Reads a whole file.
  static func contents(of bytes: [UInt8], subject: String) throws -> ImageLoading.Contents {
    try XMLStoreReader(subject: subject).contents(of: bytes)
  }

  private func contents(of bytes: [UInt8]) throws -> ImageLoading.Contents {
    let root: XMLElement
    do {
      root = try XMLReader.root(of: bytes, file: subject, limits: XMLStoreFormat.limits)
    } catch {
      throw StoreError(
        .corrupt, "\(error.location)", "expected \(error.expected), found \(error.found)")
    }
    guard root.name == XMLStoreFormat.root else {
      throw StoreError(.notAStore, subject, "is no store, but an XML file of another program")
    }
    // Before all else, since a newer file may hold anything.
    let format = try integer(root, "format")
    guard format <= XMLStoreFormat.version else { throw StoreFacts.newerFormat(format, subject) }
    guard format > 0 else { throw corrupt(root.position, "expected a format from 1 on") }
    try check(root, attributes: ["format", "tables"])
    let tablesFormat = try integer(root, "tables")
    guard tablesFormat <= StoreSQL.formatVersion else {
      throw StoreFacts.newerFormat(tablesFormat, subject)
    }
    var own: [StoreImage.Table] = []
    var names: Set<String> = []
    var rest = root.children[...]
    while let element = rest.first, element.name == "table" {
      let table = try self.table(element)
      guard names.insert(table.name.lowercased()).inserted else {
        throw corrupt(element.position, "expected each table once")
      }
      own.append(table)
      rest = rest.dropFirst()
    }
    guard let objects = rest.popFirst(), objects.name == "objects" else {
      throw corrupt(
        root.children.dropFirst(own.count).first?.position ?? root.position,
        "expected <objects> behind the tables")
    }
    let pairs = Array(rest)
    return ImageLoading.Contents(tablesFormat: tablesFormat, ownTables: own) { layout in
      try ObjectElements(reader: self, layout: layout).tables(objects, pairs)
    }
  }
}

extension XMLStoreReader {
  func corrupt(_ position: SourcePosition, _ message: String) -> StoreError {
    StoreError(.corrupt, "\(subject):\(position.line):\(position.column)", message)
  }

  /// Refuses attributes of other names, children where there should be none, and text.
  func check(
    _ element: XMLElement, attributes: Set<String>, hasChildren: Bool = true, hasText: Bool = false
  ) throws {
    if let other = element.attributes.first(where: { !attributes.contains($0.name) }) {
      throw corrupt(other.namePosition, "<\(element.name)> has no attribute \(other.name)")
    }
    if !hasChildren, let child = element.children.first {
      throw corrupt(child.position, "<\(element.name)> holds no elements")
    }
    if !hasText, !element.text.allSatisfy(\.isWhitespace) {
      throw corrupt(element.position, "<\(element.name)> holds no text of its own")
    }
  }

  /// The text of an attribute that has to be there.
  func text(_ element: XMLElement, _ name: String) throws -> String {
    guard let attribute = element.attribute(name) else {
      throw corrupt(element.position, "<\(element.name)> lacks its attribute \(name)")
    }
    return attribute.value
  }

  /// The whole number of an attribute that has to be there.
  func integer(_ element: XMLElement, _ name: String) throws -> Int64 {
    let text = try text(element, name)
    guard let number = Int64(text), "\(number)" == text else {
      throw corrupt(
        element.attribute(name)?.valuePosition ?? element.position,
        "expected a whole number, found \"\(text)\"")
    }
    return number
  }

  /// Whether an attribute is there that can only be "true".
  private func flag(_ element: XMLElement, _ name: String) throws -> Bool {
    guard let attribute = element.attribute(name) else { return false }
    guard attribute.value == "true" else {
      throw corrupt(attribute.valuePosition, "expected \"true\", or no such attribute")
    }
    return true
  }

  /// The value of a `<value>`, which has one of the types in `cells`.
  func value(_ element: XMLElement, _ cells: [XMLCell?]) throws -> FieldValue {
    try check(
      element, attributes: ["name", "column", "type", "escaped"], hasChildren: false, hasText: true)
    let type = try text(element, "type")
    guard let cell = cells.lazy.compactMap({ $0 }).first(where: { $0.type == type }) else {
      throw corrupt(element.position, "no such value can have the type \(type)")
    }
    var text: String? = element.text
    if try flag(element, "escaped") { text = EscapedText.text(element.text) }
    guard let value = text.flatMap(cell.value) else {
      throw corrupt(element.position, "expected a value of the type \(type)")
    }
    return value
  }
}

extension XMLStoreReader {
  /// Reads one of the store's own tables.
  private func table(_ element: XMLElement) throws -> StoreImage.Table {
    try check(element, attributes: ["name", "without-rowid"])
    let name = try text(element, "name")
    guard name.hasPrefix(StoreImage.ownPrefix) else {
      throw corrupt(element.position, "a store has no table \"\(name)\"")
    }
    let descriptions = element.children.prefix { $0.name == "column" }
    let isKnown = StoreSQL.ownTableNames.contains(name)
    guard isKnown == descriptions.isEmpty else {
      throw corrupt(
        element.position, isKnown ? "expected rows alone" : "expected its columns, then its rows")
    }
    var table = StoreImage.Table(
      name: name, columns: try descriptions.map(column), isDescribed: !isKnown,
      isWithoutRowID: try flag(element, "without-rowid"))
    if isKnown { table.columns = StoreSQL.ownColumns[name] ?? [] }
    let places = Dictionary(
      table.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let rowName = XMLStoreFormat.rowName(name)
    for row in element.children.dropFirst(descriptions.count) {
      guard row.name == rowName else {
        throw corrupt(row.position, "expected <\(rowName)>, found <\(row.name)>")
      }
      table.cells += try self.row(row, table.columns, places)
    }
    return table
  }

  private func column(_ element: XMLElement) throws -> StoreImage.Column {
    try check(element, attributes: ["name", "type", "not-null", "key"], hasChildren: false)
    var column = StoreImage.Column(
      name: try text(element, "name"), type: try text(element, "type"),
      isNotNull: try flag(element, "not-null"))
    if element.attribute("key") != nil {
      column.keyPosition = Int(clamping: try integer(element, "key"))
    }
    return column
  }

  private func row(
    _ element: XMLElement, _ columns: [StoreImage.Column], _ places: [String: Int]
  ) throws -> [FieldValue] {
    try check(element, attributes: Set(places.keys))
    var cells = [FieldValue](repeating: .null, count: columns.count)
    for attribute in element.attributes {
      guard let place = places[attribute.name],
        let cell = XMLStoreWriter.attributeCells[columns[place].type],
        let value = cell.value(attribute.value)
      else {
        throw corrupt(attribute.valuePosition, "\(attribute.name) cannot have this value")
      }
      cells[place] = value
    }
    for child in element.children {
      guard child.name == "value", child.attribute("column") == nil,
        let place = places[try text(child, "name")],
        cells[place] == .null
      else { throw corrupt(child.position, "expected the value of another column") }
      cells[place] = try value(child, Array(XMLCell.stored.values))
    }
    return cells
  }
}
