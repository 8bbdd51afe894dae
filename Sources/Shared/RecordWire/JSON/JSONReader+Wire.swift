import JSONStream

/// What messages are made of, in the way of this protocol: null stands for nothing.
extension JSONReader {
  /// Reads a part and adds its name to the error that it throws.
  @inline(__always)
  mutating func part<Value>(
    _ name: StaticString, _ read: (inout JSONReader) throws -> Value
  ) throws -> Value {
    do {
      return try read(&self)
    } catch {
      throw WireError(error).inside("\(name)")
    }
  }

  /// Reads a part, or null as nil.
  @inline(__always)
  mutating func optional<Value>(
    _ name: StaticString, _ read: (inout JSONReader) throws -> Value
  ) throws -> Value? {
    if try readNull() { return nil }
    return try part(name, read)
  }

  /// Reads a list of at most `max` elements, or null as nil.
  mutating func list<Value>(
    _ name: StaticString, max: Int, _ read: (inout JSONReader) throws -> Value
  ) throws -> [Value]? {
    try optional(name) { reader in
      var elements: [Value] = []
      let array = try reader.beginArray()
      while try reader.nextElement(of: array) {
        guard elements.count < max else {
          throw WireError.tooMany("elements", max: max, found: "more")
        }
        do {
          elements.append(try read(&reader))
        } catch {
          throw WireError(error).inside("[\(elements.count)]")
        }
      }
      return elements
    }
  }

  /// Reads an object of which one list counts, with at most `max` elements; what else is in it is ignored.
  mutating func object<Value>(
    ofList name: StaticString, max: Int, _ read: (inout JSONReader) throws -> Value
  ) throws -> [Value] {
    var elements: [Value]?
    let object = try beginObject()
    while let key = try nextKey(of: object) {
      if key == name { elements = try list(name, max: max, read) }
    }
    return try elements.required("\(name)")
  }

  /// Reads a text, or null as nil.
  mutating func text(_ name: StaticString) throws -> String? {
    try optional(name) { reader in try reader.readString() }
  }

  /// Reads a text of at most `max` bytes, or null as nil.
  mutating func text(_ name: StaticString, max: Int) throws -> String? {
    try optional(name) { reader in
      let text = try reader.readString()
      guard text.utf8.count <= max else {
        throw WireError.tooMany("bytes", max: max, found: "\(text.utf8.count) bytes")
      }
      return text
    }
  }

  /// Reads a name, which has to be no empty text, or null as nil.
  mutating func name(_ name: StaticString, _ limits: WireLimits) throws -> String? {
    guard let text = try text(name, max: limits.nameBytesMax) else { return nil }
    guard !text.isEmpty else {
      throw WireError(.wrongShape, expected: "a name", found: "an empty text")
        .inside("\(name)")
    }
    if limits.refusesControls && text.hasControls {
      throw WireError(
        .wrongShape, expected: "a name without control characters", found: "one with some"
      ).inside("\(name)")
    }
    return text
  }

  /// Reads a truth value, or null as nil.
  mutating func truth(_ name: StaticString) throws -> Bool? {
    try optional(name) { reader in try reader.readBool() }
  }

  /// Reads a number that is not negative and no larger than a count can be, or null as nil.
  mutating func count(_ name: StaticString) throws -> Int? {
    try optional(name) { reader in
      let value = try reader.readInt64()
      guard let count = Int(exactly: value), count >= 0 else {
        throw WireError(.wrongShape, expected: "a number that is not negative", found: "\(value)")
      }
      return count
    }
  }

  /// Reads one of the words of the protocol.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ name: StaticString, _ noun: String
  ) throws -> Word where Word.RawValue == String {
    try part(name) { reader in
      let text = try reader.readString()
      guard let word = Word(rawValue: text) else {
        throw WireError(.unknownWord, expected: noun, found: "'\(text.prefix(64))'")
      }
      return word
    }
  }

  /// Reads names of fields or types, or null as nil.
  mutating func desiredKeys(_ name: StaticString, _ limits: WireLimits) throws -> DesiredKeys? {
    try list(name, max: limits.clausesMax) { reader in
      try reader.text("", max: limits.nameBytesMax) ?? ""
    }.map { DesiredKeys($0) }
  }
}

extension String {
  /// Whether there are control characters in the text: those of ASCII, or U+0080 to U+009F.
  var hasControls: Bool {
    utf8.withContiguousStorageIfAvailable { Self.haveControls($0) } ?? Self.haveControls(utf8)
  }

  /// Whether one of the bytes is a control character, or two are one of UTF-8.
  @inline(__always)
  private static func haveControls(_ bytes: some Collection<UInt8>) -> Bool {
    var last: UInt8 = 0
    var controls: UInt8 = 0
    // NB: to the end also when the answer is known, which saves a branch at each byte.
    for byte in bytes {
      let isControl = (byte < 0x20) || (byte == 0x7f)
      let endsControl = (last == 0xc2) && (byte < 0xa0)
      controls |= isControl || endsControl ? 1 : 0
      last = byte
    }
    return controls != 0
  }
}

extension Optional {
  /// The value, or the error that the key is not there.
  func required(_ key: String) throws(WireError) -> Wrapped {
    guard let self else { throw WireError.missing(key) }
    return self
  }
}

extension JSONWriter {
  /// Writes nothing at all for nil.
  mutating func member(_ key: StaticString, ifPresent value: Bool?) {
    if let value { member(key, value) }
  }

  /// Writes nothing at all for nil.
  mutating func member(_ key: StaticString, ifPresent value: Int?) {
    if let value { member(key, value) }
  }

  /// Writes nothing at all for nil.
  mutating func member(_ key: StaticString, ifPresent value: Double?) {
    if let value { member(key, value) }
  }

  /// Writes nothing at all unless it is so.
  mutating func member(_ key: StaticString, ifTrue value: Bool) {
    if value { member(key, true) }
  }

  /// Writes a list of texts, and nothing at all for nil.
  mutating func member(_ key: StaticString, ifPresent names: DesiredKeys?) {
    guard let names else { return }
    self.key(key)
    array { json in
      for name in names.names { json.string(name) }
    }
  }

  /// Writes a list.
  mutating func member<Element>(
    _ key: StaticString, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) {
    self.key(key)
    array { json in
      for element in elements { write(element, &json) }
    }
  }

  /// Writes a zone, and nothing at all for nil.
  mutating func member(_ key: StaticString, ifPresent zone: ZoneIdentity?) {
    guard let zone else { return }
    self.key(key)
    zone.write(to: &self)
  }
}
