import DataModel
import JSONStream

extension RecordField {
  /// Reads `{"value": …, "type": …, "isEncrypted": …}` in any order, or null as no value.
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    self.init(.null)
    if try json.readNull() { return }
    var raw: RawValue?
    var type = FieldTypeName.none
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "value": raw = try RawValue(reading: &json)
      case "type": type = try FieldTypeName(reading: &json)
      case "isEncrypted": isEncrypted = try json.truth("isEncrypted") ?? false
      default: break
      }
    }
    guard let raw else { throw WireError.missing("value") }
    value = try type.value(of: raw, in: &json, limits)
    if case .known(let known) = type, known.isEncrypted { isEncrypted = true }
  }
}

extension RecordField {
  /// Writes `{"value": …, "type": …}`; without a type where the value has none.
  func write(to json: inout JSONWriter, numbersAsStrings: Bool = false) {
    json.object { json in
      json.key("value")
      value.write(to: &json, numbersAsStrings: numbersAsStrings)
      if case .unknown(let name, _) = value {
        json.member("type", name)
      } else if let type = value.type {
        json.key("type")
        json.word(WireType(type, isList: value.isList).name)
      }
      json.member("isEncrypted", ifTrue: isEncrypted)
    }
  }
}

/// What stands under `type`.
private enum FieldTypeName {
  case none
  case known(WireType)
  case unknown(String)

  init(reading json: inout JSONReader) throws {
    if try json.readNull() {
      self = .none
      return
    }
    let text = try json.readText()
    for row in WireType.rows where text == row.name {
      self = .known(row)
      return
    }
    self = text == WireType.unknownList ? .none : .unknown(text.string)
  }

  /// The value, whose errors say what was expected in the words of the protocol.
  func value(
    of raw: RawValue, in json: inout JSONReader, _ limits: WireLimits
  ) throws -> RecordValue {
    do {
      switch self {
      case .known(let type): return try raw.value(as: type, in: &json, limits)
      case .none: return try raw.untyped(in: &json, limits)
      case .unknown(let name): return try Self.unknown(raw, name, in: &json, limits)
      }
    } catch {
      var error = WireError(error).inside("value")
      if case .known(let type) = self {
        error.protocolReason =
          error.protocolReason ?? ValueMismatch(expected: type.expectedName).reason
      }
      throw error
    }
  }

  /// A value of a type that this version does not know: kept as it came, or refused.
  private static func unknown(
    _ raw: RawValue, _ name: String, in json: inout JSONReader, _ limits: WireLimits
  ) throws -> RecordValue {
    guard limits.keepsUnknownTypes else {
      throw WireError(.unknownWord, expected: "a field type", found: "'\(name.prefix(64))'")
    }
    var writer = JSONWriter()
    switch raw {
    case .null: writer.null()
    case .boolean(let value): writer.boolean(value)
    case .number(let value): writer.number(value)
    case .string(let text): writer.string(text)
    case .array(let range), .object(let range): json.withBytes(in: range) { writer.checkedJSON($0) }
    }
    return .unknown(type: name, json: try writer.finish())
  }
}

extension JSONWriter {
  /// Writes a word of the protocol.
  @inline(__always)
  mutating func word(_ word: StaticString) {
    word.withUTF8Buffer { string(utf8: $0) }
  }
}

extension RecordValue {
  /// Writes what stands under `value`.
  func write(to json: inout JSONWriter, numbersAsStrings: Bool) {
    switch self {
    case .null: json.null()
    case .string(let text): json.string(text)
    case .int64(let value), .timestamp(let value):
      if numbersAsStrings { json.string(String(value)) } else { json.integer(value) }
    case .double(let value):
      // An infinity goes to the writer either way, which refuses it.
      if numbersAsStrings && value.isFinite { json.string("\(value)") } else { json.double(value) }
    case .bytes(let bytes): json.base64(bytes)
    case .reference(let reference): reference.write(to: &json)
    case .location(let location): location.write(to: &json)
    case .asset(let asset): asset.write(to: &json)
    case .list(let elements, _):
      json.array { json in
        for element in elements { element.write(to: &json, numbersAsStrings: numbersAsStrings) }
      }
    case .untyped(let value): value.write(to: &json)
    case .unknown(_, let bytes): json.checkedJSON(bytes)
    }
  }
}

extension UntypedValue {
  func write(to json: inout JSONWriter) {
    switch self {
    case .integer(let value): json.integer(value)
    case .double(let value): json.double(value)
    case .string(let text): json.string(text)
    case .boolean(let value): json.boolean(value)
    case .reference(let reference): reference.write(to: &json)
    case .location(let location): location.write(to: &json)
    case .asset(let asset): asset.write(to: &json)
    case .array(let elements):
      json.array { json in
        for element in elements { element.write(to: &json) }
      }
    }
  }
}

extension RecordFields {
  /// Reads the object under `fields`; errors name the field.
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var entries: [Entry] = []
    entries.reserveCapacity(16)
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      let name = key.string
      do {
        try Self.check(name, after: entries.count, limits)
        entries.append(Entry(name: name, field: try RecordField(reading: &json, limits)))
      } catch {
        var error = WireError(error).inside(name)
        error.field = name
        throw error
      }
    }
    self.init(distinct: entries)
    guard byteCount <= limits.recordBytesMax else {
      var error = WireError.tooMany(
        "bytes", max: limits.recordBytesMax, found: "\(byteCount) bytes")
      error.protocolReason = "record too large"
      throw error
    }
  }

  private static func check(
    _ name: String, after count: Int, _ limits: WireLimits
  ) throws(WireError) {
    guard count < limits.fieldsMax else {
      throw WireError.tooMany("fields", max: limits.fieldsMax, found: "more")
    }
    guard !name.isEmpty else {
      throw WireError(.wrongShape, expected: "a field's name", found: "an empty text")
    }
    guard name.utf8.count <= limits.nameBytesMax else {
      throw WireError.tooMany(
        "bytes of a name", max: limits.nameBytesMax, found: "\(name.utf8.count) bytes")
    }
  }

  func write(to json: inout JSONWriter, numbersAsStrings: Bool = false) {
    json.object { json in
      for entry in entries {
        json.key(entry.name)
        entry.field.write(to: &json, numbersAsStrings: numbersAsStrings)
      }
    }
  }
}
