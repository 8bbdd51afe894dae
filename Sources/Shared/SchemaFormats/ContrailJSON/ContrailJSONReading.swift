import DataModel
import JSONStream

/// A Contrail JSON file while it is read: turns JSON into parts of a schema and notes their places.
struct ContrailJSONReading {
  private(set) var sources = SourceMap()

  private let bytes: [UInt8]
  private let file: String
  private var lineStarts = [0]

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    guard bytes.count <= ContrailJSON.Limits.fileBytesMax else { return }
    for (offset, byte) in bytes.enumerated() {
      // Lines end as `JSONPosition` counts them: with LF, CR, or CR LF.
      let isLoneReturn =
        byte == UInt8(ascii: "\r")
        && (offset + 1 == bytes.count || bytes[offset + 1] != UInt8(ascii: "\n"))
      if byte == UInt8(ascii: "\n") || isLoneReturn { lineStarts.append(offset + 1) }
    }
  }

  /// The file as a tree.
  func root() throws(SchemaFormatError) -> JSONValue {
    let limits = JSONLimits(
      depthMax: ContrailJSON.Limits.depthMax, textBytesMax: ContrailJSON.Limits.fileBytesMax)
    do { return try JSONValue(reading: bytes, limits: limits) } catch {
      throw self.error(at: place(of: error.position), expected: error.expected, found: error.found)
    }
  }

  /// The schema, of whichever kind the file is.
  mutating func content(of root: JSONValue) throws(SchemaFormatError) -> SchemaDocument.Content {
    _ = try members(root, "an object with a schema")
    let version = try required("contrail", of: root, "a schema")
    guard try integer(version) == ContrailJSON.version else {
      throw error(
        at: version, expected: "version \(ContrailJSON.version) of Contrail JSON",
        found: "version \(version.integer ?? 0), which this release does not know")
    }
    let kind: ContrailJSON.Kind = try word(try required("kind", of: root, "a schema"))
    switch kind {
    case .objects:
      var schema = Schema()
      try fill(&schema, from: root, rows: SchemaRows.rows, and: Self.headKeys, element: .schema)
      return .objects(schema)
    case .records:
      var records = RecordSchema()
      try fill(&records, from: root, rows: RecordRows.rows, and: Self.headKeys, element: .schema)
      return .records(records)
    }
  }

  /// The keys of every file; editors look for the first one.
  private static let headKeys = ["$schema", "contrail", "kind"]
}

extension ContrailJSONReading {
  /// Reads an object's members into `part`, row by row, and notes where they stand.
  mutating func fill<Part>(
    _ part: inout Part, from value: JSONValue, at key: JSONPosition? = nil, rows: [JSONRow<Part>],
    and otherKeys: [String] = [], element: SchemaElement?
  ) throws(SchemaFormatError) {
    let members = try self.members(value, "an object")
    var values: [String: JSONMember] = [:]
    for member in members { values[member.key] = member }
    try refuseUnknown(members, known: otherKeys + rows.map(\.key))
    var aspects: [(aspect: Aspect, position: SourcePosition)] = []
    for row in rows {
      guard let member = values[row.key] else {
        if row.isRequired { throw missing(row.key, in: value, element?.kindName ?? "an object") }
        continue
      }
      try row.read(member.value, &part, &self)
      if let aspect = row.aspect { aspects.append((aspect, place(of: member.keyPosition))) }
    }
    if let element {
      sources.record(element, at: place(of: key ?? value.position), aspects: aspects)
    }
  }

  /// Reads the parts of an object whose keys are their names.
  mutating func parts<Part>(
    _ value: JSONValue, make: (String) -> Part, rows: [JSONRow<Part>],
    element: (String) -> SchemaElement
  ) throws(SchemaFormatError) -> [Part] {
    var parts: [Part] = []
    for member in try named(value) {
      var part = make(member.key)
      try fill(
        &part, from: member.value, at: member.keyPosition, rows: rows,
        element: element(member.key))
      parts.append(part)
    }
    return parts
  }

  /// Notes where a part stands that is not read by `fill`.
  mutating func note(_ element: SchemaElement, at value: JSONValue) {
    sources.record(element, at: place(of: value.position))
  }

  private func refuseUnknown(
    _ members: [JSONMember], known: [String]
  ) throws(SchemaFormatError) {
    for member in members where !known.contains(member.key) {
      throw error(
        at: place(of: member.keyPosition), expected: "one of \(known.joined(separator: ", "))",
        found: "the key \"\(member.key)\"")
    }
  }

  /// The members of an object whose keys are names, each of which stands for itself: two that differ
  /// only in how Unicode composes a letter are one name.
  private func named(_ value: JSONValue) throws(SchemaFormatError) -> [JSONMember] {
    let members = try self.members(value, "an object")
    var names: Set<String> = []
    for member in members where !names.insert(member.key).inserted {
      throw error(
        at: place(of: member.keyPosition), expected: "each name once",
        found: "\"\(member.key)\" a second time")
    }
    return members
  }

  private func required(
    _ key: String, of value: JSONValue, _ noun: String
  ) throws(SchemaFormatError) -> JSONValue {
    guard let member = value[key] else { throw missing(key, in: value, noun) }
    return member
  }

  private func missing(_ key: String, in value: JSONValue, _ noun: String) -> SchemaFormatError {
    error(at: value, expected: "the key \"\(key)\" in \(noun)", found: "none")
  }
}

extension ContrailJSONReading {
  func string(_ value: JSONValue) throws(SchemaFormatError) -> String {
    try require(value.string, "a string", in: value)
  }

  func boolean(_ value: JSONValue) throws(SchemaFormatError) -> Bool {
    try require(value.boolean, "true or false", in: value)
  }

  func integer(_ value: JSONValue) throws(SchemaFormatError) -> Int64 {
    try require(value.integer, "an integer of 64 bits", in: value)
  }

  func count(_ value: JSONValue) throws(SchemaFormatError) -> Int {
    try require(value.integer.flatMap { Int(exactly: $0) }, "an integer", in: value)
  }

  func elements(_ value: JSONValue) throws(SchemaFormatError) -> [JSONValue] {
    try require(value.elements, "an array", in: value)
  }

  func members(_ value: JSONValue, _ expected: String) throws(SchemaFormatError) -> [JSONMember] {
    try require(value.members, expected, in: value)
  }

  func strings(_ value: JSONValue) throws(SchemaFormatError) -> [String] {
    var strings: [String] = []
    for element in try elements(value) { strings.append(try string(element)) }
    return strings
  }

  func dictionary(_ value: JSONValue) throws(SchemaFormatError) -> [String: String] {
    var entries: [String: String] = [:]
    for member in try named(value) { entries[member.key] = try string(member.value) }
    return entries
  }

  func word<Word: RawRepresentable & CaseIterable>(
    _ value: JSONValue
  ) throws(SchemaFormatError) -> Word where Word.RawValue == String {
    let text = try string(value)
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw error(at: value, expected: "one of \(words)", found: "\"\(text)\"")
    }
    return word
  }

  /// `found` in a value of the right kind, or an error that says what stands there instead.
  func require<Found>(
    _ found: Found?, _ expected: String, in value: JSONValue
  ) throws(SchemaFormatError) -> Found {
    guard let found else { throw error(at: value, expected: expected, found: shown(value)) }
    return found
  }

  func error(at value: JSONValue, expected: String, found: String) -> SchemaFormatError {
    error(at: place(of: value.position), expected: expected, found: found)
  }

  private func error(
    at position: SourcePosition, expected: String, found: String
  ) -> SchemaFormatError {
    SchemaFormatError(
      at: SourceLocation(file: file, position: position), expected: expected, found: found)
  }

  private func shown(_ value: JSONValue) -> String {
    switch value.content {
    case .string(let text) where text.count <= 40: "the string \"\(text)\""
    case .number(.integer(let number)): "the number \(number)"
    case .number(.double(let number)): "the number \(number)"
    default: value.type.nounPhrase
    }
  }

  /// The place with its column in bytes, as `SourcePosition` counts.
  private func place(of position: JSONPosition?) -> SourcePosition {
    guard let position, lineStarts.indices.contains(position.line - 1) else {
      return SourcePosition(line: 1, column: 1)
    }
    return SourcePosition(
      line: position.line, column: position.offset - lineStarts[position.line - 1] + 1)
  }
}
