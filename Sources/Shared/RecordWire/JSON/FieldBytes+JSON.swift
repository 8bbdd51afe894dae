public import JSONStream

extension FieldBytes {
  /// Writes `fields` as they stand in a message.
  public init(_ fields: RecordFields, numbersAsStrings: Bool = false) throws(WireError) {
    var writer = JSONWriter(bytesExpected: 64 + fields.byteCount * 2)
    fields.write(to: &writer, numbersAsStrings: numbersAsStrings)
    do {
      self.init(checked: try writer.finish())
    } catch {
      throw WireError(
        .unwritable, path: "fields", expected: error.expected, found: error.found,
        position: error.position)
    }
  }

  /// The values.
  public func fields(limits: WireLimits = .response) throws(WireError) -> RecordFields {
    do {
      return try JSONReader.read(json, limits: limits.json) { reader in
        try RecordFields(reading: &reader, limits)
      }
    } catch {
      throw WireError(error).inside("fields")
    }
  }

  /// The same with numbers as strings.
  public func spellingNumbersAsStrings() throws(WireError) -> FieldBytes {
    try FieldBytes(try fields(), numbersAsStrings: true)
  }

  /// The fields that are wanted, copied as they stand.
  public func filtered(by keys: DesiredKeys) throws(WireError) -> FieldBytes {
    var writer = JSONWriter(bytesExpected: json.count)
    do {
      try json.withUnsafeBufferPointer { try Self.write($0, desiredKeys: keys, to: &writer) }
      return FieldBytes(checked: try writer.finish())
    } catch {
      throw WireError(error).inside("fields")
    }
  }

  /// Copies the fields of a stored record into a message: all of them as they stand, or those that
  /// are wanted.
  ///
  /// Bytes that are no object of JSON throw if keys are given; else they are copied unchecked.
  public static func write(
    _ stored: UnsafeBufferPointer<UInt8>, desiredKeys: DesiredKeys?, to json: inout JSONWriter
  ) throws {
    guard let desiredKeys else {
      json.checkedJSON(stored)
      return
    }
    var wanted: [(name: String, range: Range<Int>)] = []
    try JSONReader.read(stored, limits: WireLimits.response.json) { reader in
      let object = try reader.beginObject()
      while let key = try reader.nextKey(of: object) {
        guard key.withBytes({ desiredKeys.contains(utf8: $0) }) else { continue }
        wanted.append((key.string, try reader.skipValue()))
      }
    }
    json.object { json in
      for (name, range) in wanted {
        json.key(name)
        json.checkedJSON(UnsafeBufferPointer(rebasing: stored[range]))
      }
    }
  }
}
