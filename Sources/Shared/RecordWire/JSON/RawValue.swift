import DataModel
import JSONStream

/// A value before its type is known, since `type` mostly comes after `value`: scalars as they are, the
/// rest as a place in the text, which is checked JSON already.
enum RawValue {
  case null
  case number(JSONNumber)
  case boolean(Bool)
  case string(String)
  case array(Range<Int>)
  case object(Range<Int>)

  init(reading json: inout JSONReader) throws(JSONError) {
    switch try json.peekType() {
    case .string: self = .string(try json.readString())
    case .number: self = .number(try json.readNumber())
    case .boolean: self = .boolean(try json.readBool())
    case .array: self = .array(try json.skipValue())
    case .object: self = .object(try json.skipValue())
    case .null:
      _ = try json.readNull()
      self = .null
    }
  }

  /// What the value is, for messages.
  var nounPhrase: String {
    switch self {
    case .null: "null"
    case .boolean: "a truth value"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    case .number(.integer): "an integer"
    case .number(.unsigned): "an integer beyond 64 bits with a sign"
    case .number(.double): "a number with a fraction or an exponent"
    case .number(.literal): "a number beyond 64 bits"
    }
  }
}

extension RawValue {
  /// The value as the type that came with it.
  func value(
    as type: WireType, in json: inout JSONReader, _ limits: WireLimits
  ) throws -> RecordValue {
    if case .null = self { return .null }
    guard type.isList else {
      guard let value = try element(as: type.type, in: &json, limits) else {
        throw mismatch(WireType(type.type, isList: false))
      }
      return value
    }
    guard case .array(let range) = self else { throw mismatch(type) }
    let elements = try Self.elements(of: range, in: &json, limits) { raw, reader in
      guard let value = try raw.element(as: type.type, in: &reader, limits) else {
        throw raw.mismatch(type)
      }
      return value
    }
    return .list(elements, of: type.type)
  }

  /// The value as one of `type`; nil where it is none.
  private func element(
    as type: RecordSchema.FieldType, in json: inout JSONReader, _ limits: WireLimits
  ) throws -> RecordValue? {
    switch (self, type) {
    case (.string(let text), .string): return .string(text)
    case (.number(.integer(let value)), .int64): return .int64(value)
    case (.number(.integer(let value)), .timestamp): return .timestamp(value)
    case (.number(.double(let value)), .double): return .double(value)
    case (.object(let range), _):
      return try Self.inside(range, of: &json, limits) { reader in
        switch type {
        case .reference: .reference(try RecordReference(reading: &reader, limits))
        case .location: .location(try RecordLocation(reading: &reader))
        case .asset: .asset(try RecordAsset(reading: &reader))
        default: nil
        }
      }
    case (.number(.unsigned(let value)), .double): return .double(Double(value))
    default: return scalar.flatMap { $0.value(as: type) }
    }
  }

  /// The value without a type.
  func untyped(in json: inout JSONReader, _ limits: WireLimits) throws -> RecordValue {
    if case .null = self { return .null }
    guard case .array(let range) = self else {
      return .untyped(try untypedElement(in: &json, limits))
    }
    let elements = try Self.elements(of: range, in: &json, limits) { raw, reader in
      try raw.untypedElement(in: &reader, limits)
    }
    return .untyped(.array(elements))
  }

  private func untypedElement(
    in json: inout JSONReader, _ limits: WireLimits
  ) throws -> UntypedValue {
    if let scalar { return scalar }
    guard case .object(let range) = self else {
      throw WireError(
        .invalidValue, expected: "a text, a number of 64 bits or an object", found: nounPhrase)
    }
    return try Self.inside(range, of: &json, limits) { reader in
      let kind = try ObjectKind(of: range, &reader)
      return try Self.inside(0..<range.count, of: &reader, limits) { inner in
        switch kind {
        case .reference: .reference(try RecordReference(reading: &inner, limits))
        case .location: .location(try RecordLocation(reading: &inner))
        case .asset: .asset(try RecordAsset(reading: &inner))
        }
      }
    }
  }

  /// The value as an untyped one, when it is a number, a text or a truth value.
  private var scalar: UntypedValue? {
    switch self {
    case .number(.integer(let value)): .integer(value)
    case .number(.double(let value)): .double(value)
    case .string(let text): .string(text)
    case .boolean(let value): .boolean(value)
    default: nil
    }
  }

  /// The error of a value that is none of its type.
  private func mismatch(_ type: WireType) -> WireError {
    WireError(
      .invalidValue, expected: "a value of type \(type.expectedName)", found: nounPhrase,
      protocolReason: ValueMismatch(expected: type.expectedName).reason)
  }
}

extension RawValue {
  /// Reads the checked JSON of a part of the text again, now that its type is known.
  private static func inside<Value>(
    _ range: Range<Int>, of json: inout JSONReader, _ limits: WireLimits,
    _ read: (inout JSONReader) throws -> Value
  ) throws -> Value {
    do {
      return try json.withBytes(in: range) { bytes in
        try JSONReader.read(bytes, limits: limits.json, read)
      }
    } catch {
      var error = WireError(error)
      // It counts from the beginning of the part.
      error.position = nil
      throw error
    }
  }

  private static func elements<Value>(
    of range: Range<Int>, in json: inout JSONReader, _ limits: WireLimits,
    _ read: (RawValue, inout JSONReader) throws -> Value
  ) throws -> [Value] {
    try inside(range, of: &json, limits) { reader in
      var elements: [Value] = []
      let array = try reader.beginArray()
      while try reader.nextElement(of: array) {
        guard elements.count < limits.listElementsMax else {
          throw WireError.tooMany("elements", max: limits.listElementsMax, found: "more")
        }
        do {
          elements.append(try read(try RawValue(reading: &reader), &reader))
        } catch {
          throw WireError(error).inside("[\(elements.count)]")
        }
      }
      return elements
    }
  }
}

/// What an object without a type is, by its keys.
private enum ObjectKind {
  case reference, location, asset

  /// Looks at the keys of the reader's value, and reads it to its end.
  init(of range: Range<Int>, _ json: inout JSONReader) throws {
    var found: ObjectKind?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordName": found = .reference
      case "latitude": found = .location
      case "fileChecksum", "receipt": found = found ?? .asset
      default: break
      }
    }
    guard let found else {
      throw WireError(
        .invalidValue, expected: "an object with a recordName, a latitude or a fileChecksum",
        found: "an object without any of them")
    }
    self = found
  }
}
