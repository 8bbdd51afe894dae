import DataModel
import FoundationEssentials
import JSONStream

extension ContrailJSONReading {
  /// The value that `json` says, plainly for a value of `kind`, or in an object that names its kind.
  func fieldValue(
    _ json: JSONValue, as kind: FieldValue.Kind?, depth: Int = 0
  ) throws(SchemaFormatError) -> FieldValue {
    if json.isNull { return .null }
    if let kind, FieldValueJSON.plainKinds.contains(kind), json.type != .object {
      return try plainValue(json, kind, depth)
    }
    guard let members = json.members, members.count == 1, let member = members.first,
      let named = FieldValue.Kind(rawValue: member.key), Self.readers[named] != nil
    else {
      throw error(
        at: json, expected: "an object that names the kind of its value, such as {\"string\": …}",
        found: json.type.nounPhrase)
    }
    return try plainValue(member.value, named, depth)
  }

  private func plainValue(
    _ json: JSONValue, _ kind: FieldValue.Kind, _ depth: Int
  ) throws(SchemaFormatError) -> FieldValue {
    guard depth < ContrailJSON.Limits.valueDepthMax else {
      throw error(
        at: json, expected: "at most \(ContrailJSON.Limits.valueDepthMax) values in each other",
        found: "more")
    }
    let reader = Self.readers[kind]
    return try require(
      try reader?.read(json, self, depth + 1), reader?.expected ?? "a value", in: json)
  }

  /// How values of one kind are read: nil means that the JSON says none.
  private struct Reader: Sendable {
    let expected: String
    let read:
      @Sendable (JSONValue, ContrailJSONReading, Int) throws(SchemaFormatError) -> FieldValue?

    init(
      _ expected: String,
      _ read:
        @escaping @Sendable (JSONValue, ContrailJSONReading, Int) throws(SchemaFormatError)
        -> FieldValue?
    ) {
      self.expected = expected
      self.read = read
    }

    /// A reader of what a text says.
    init(_ expected: String, text read: @escaping @Sendable (String) -> FieldValue?) {
      self.init(expected) { (json, _, _) throws(SchemaFormatError) in json.string.flatMap(read) }
    }
  }

  private static let readers: [FieldValue.Kind: Reader] = [
    .boolean: Reader("true or false") { (json, _, _) throws(SchemaFormatError) in
      json.boolean.map { .boolean($0) }
    },
    .integer: Reader("an integer of 64 bits") { (json, _, _) throws(SchemaFormatError) in
      json.integer.map { .integer($0) }
    },
    .double: Reader("a number") { (json, _, _) throws(SchemaFormatError) in
      double(json).map { .double($0) }
    },
    .decimal: Reader("a decimal number in quotes", text: decimal),
    .string: Reader("a string", text: { .string($0) }),
    .date: Reader("a date such as \"2026-05-01T12:00:00Z\", or seconds since 2001") {
      (json, _, _) throws(SchemaFormatError) in
      if let second = json.string.flatMap(WholeSecond.init) { return .date(second.date) }
      return double(json).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    },
    .data: Reader(
      "bytes in base64", text: { Data(base64Encoded: $0).map { .data(Array($0)) } }),
    .uuid: Reader("a UUID", text: { UUID(uuidString: $0).map { .uuid($0) } }),
    .uri: Reader("a string", text: { .uri($0) }),
    .objectID: Reader("an object with store, entity and key") {
      (json, _, _) throws(SchemaFormatError) in identity(json)
    },
    .composite: Reader("an object of values") { (json, reading, depth) throws(SchemaFormatError) in
      guard let members = json.members else { return nil }
      var values: [String: FieldValue] = [:]
      for member in members {
        values[member.key] = try reading.fieldValue(member.value, as: nil, depth: depth)
      }
      return .composite(values)
    },
    .list: Reader("an array of values") { (json, reading, depth) throws(SchemaFormatError) in
      guard let elements = json.elements else { return nil }
      var values: [FieldValue] = []
      for element in elements {
        values.append(try reading.fieldValue(element, as: nil, depth: depth))
      }
      return .list(values)
    },
  ]

  private static func double(_ json: JSONValue) -> Double? {
    json.double ?? FieldValueJSON.notFinite.first { $0.word == json.string }?.value
  }

  private static func decimal(_ text: String) -> FieldValue? {
    if text == Decimal.nan.description { return .decimal(.nan) }
    // `Decimal` itself stops at what it does not understand, and takes what stands before it.
    let isNumber =
      (try? JSONValue(reading: text))?.type == .number
      && text.utf8.allSatisfy { $0 > 0x20 }
    return isNumber ? Decimal(string: text).map { .decimal($0) } : nil
  }

  private static func identity(_ json: JSONValue) -> FieldValue? {
    guard json.members?.count == 3,
      let store = json["store"]?.string.flatMap({ UUID(uuidString: $0) }),
      let entity = json["entity"]?.string, let key = json["key"]?.integer
    else { return nil }
    return .objectID(ObjectIdentity(store: store, entity: entity, key: key))
  }
}
