import DataModel
import SchemaFormats

/// Reads the objects and pairs of an XML store, as the layout says where their values belong.
struct ObjectElements {
  let reader: XMLStoreReader
  let layout: StoreLayout
  private var tables: [StoreImage.Table]
  private var places: [[String: Int]]
  private var tableNumbers: [String: Int]

  init(reader: XMLStoreReader, layout: StoreLayout) {
    self.reader = reader
    self.layout = layout
    tables = StoreImage.objectTables(layout)
    places = tables.map { table in
      Dictionary(
        table.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    tableNumbers = Dictionary(
      tables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The filled tables.
  func tables(_ objects: XMLElement, _ pairs: [XMLElement]) throws -> [StoreImage.Table] {
    var copy = self
    return try copy.fill(objects, pairs)
  }

  private mutating func fill(
    _ objects: XMLElement, _ pairs: [XMLElement]
  ) throws -> [StoreImage.Table] {
    try reader.check(objects, attributes: [])
    for object in objects.children { try addObject(object) }
    for element in pairs { try addPairs(element) }
    return tables
  }

  private mutating func addObject(_ element: XMLElement) throws {
    guard element.name == "object" else {
      throw reader.corrupt(element.position, "expected <object>, found <\(element.name)>")
    }
    try reader.check(element, attributes: ["entity", "id", "version"])
    let name = try reader.text(element, "entity")
    guard let entity = layout.entity(name), let table = tableNumbers[entity.table] else {
      throw reader.corrupt(element.position, "the store's schema has no entity \(name)")
    }
    let places = places[table]
    var cells = [FieldValue](repeating: .null, count: tables[table].columns.count)
    func put(_ value: FieldValue, _ column: String, _ position: SourcePosition) throws {
      guard let place = places[column], cells[place] == .null else {
        throw reader.corrupt(position, "expected each property once")
      }
      cells[place] = value
    }
    let key = try reader.integer(element, "id")
    let version = try reader.integer(element, "version")
    try put(.integer(key), SystemColumn.key, element.position)
    try put(.integer(version), SystemColumn.version, element.position)
    if entity.sharesTable {
      try put(.integer(Int64(entity.number)), SystemColumn.entity, element.position)
    }
    for child in element.children {
      let (column, value) = try property(child, of: entity)
      try put(value, column, child.position)
    }
    tables[table].cells += cells
  }

  private func property(
    _ element: XMLElement, of entity: EntityLayout
  ) throws -> (column: String, value: FieldValue) {
    let name: String
    let found: Int?
    if let attribute = element.attribute("column") {
      name = attribute.value
      found = entity.columnSlots.first { entity.slots[$0].column == name }
    } else {
      name = try reader.text(element, "name")
      found = entity.slot(name)
    }
    guard let index = found, let column = entity.slots[index].column,
      (element.attribute("name") == nil) != (element.attribute("column") == nil)
    else {
      throw reader.corrupt(element.position, "\(entity.name) stores no property \(name)")
    }
    let slot = entity.slots[index]
    switch element.name {
    case "reference":
      try reader.check(element, attributes: ["name", "column", "entity", "id"], hasChildren: false)
      guard let relationship = slot.relationship else {
        throw reader.corrupt(element.position, "\(name) is no relationship")
      }
      let destination = layout.entities[relationship.destination].name
      guard try reader.text(element, "entity") == destination else {
        throw reader.corrupt(element.position, "\(name) leads to \(destination) alone")
      }
      return (column, .integer(try reader.integer(element, "id")))
    case "value":
      let typed = (slot.attribute?.type.rawValue).flatMap { XMLCell.typed[$0] }
      return (column, try reader.value(element, [typed] + Array(XMLCell.stored.values)))
    default:
      throw reader.corrupt(
        element.position, "expected <value> or <reference>, found <\(element.name)>")
    }
  }

  private mutating func addPairs(_ element: XMLElement) throws {
    guard element.name == "pairs" else {
      throw reader.corrupt(element.position, "expected <pairs>, found <\(element.name)>")
    }
    try reader.check(element, attributes: ["table"])
    let name = try reader.text(element, "table")
    guard let table = tableNumbers[name], layout.pairTables.contains(where: { $0.table == name })
    else { throw reader.corrupt(element.position, "the store has no table of pairs \"\(name)\"") }
    let columns = tables[table].columns.map(\.name)
    let attributes = columns.map { $0.replacing("_", with: "-") }
    for pair in element.children {
      guard pair.name == "pair" else {
        throw reader.corrupt(pair.position, "expected <pair>, found <\(pair.name)>")
      }
      try reader.check(pair, attributes: Set(attributes), hasChildren: false)
      for attribute in attributes {
        tables[table].cells.append(
          pair.attribute(attribute) == nil ? .null : .integer(try reader.integer(pair, attribute)))
      }
    }
  }
}
