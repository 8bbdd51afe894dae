extension JSONWriter {
  package mutating func null() { word("null") }

  package mutating func boolean(_ value: Bool) { word(value ? "true" : "false") }

  package mutating func integer(_ value: Int64) {
    beginValue()
    if value < 0 { output.append(.minus) }
    output.append(decimal: value.magnitude)
    endValue()
  }

  package mutating func unsigned(_ value: UInt64) {
    beginValue()
    output.append(decimal: value)
    endValue()
  }

  /// Writes the shortest text that reads back as the same double, always with a fraction or an
  /// exponent, so that it stays a double.
  ///
  /// A NaN or an infinity is a problem that `finish` throws.
  package mutating func double(_ value: Double) {
    guard value.isFinite else {
      return report(.notFinite, expected: "a finite number", found: "\(value)")
    }
    beginValue()
    var text = value.description
    text.withUTF8 { output.append($0) }
    endValue()
  }

  /// Writes a number as the kind that it is.
  package mutating func number(_ value: JSONNumber) {
    switch value {
    case .integer(let value): integer(value)
    case .unsigned(let value): unsigned(value)
    case .double(let value): double(value)
    case .literal(let text): numberText(text)
    }
  }

  /// Writes a number that is already text, such as a decimal.
  ///
  /// What is no JSON number is a problem that `finish` throws.
  package mutating func numberText(_ text: String) {
    let type = try? JSONReader.read(Array(text.utf8)) { reader in
      let type = try reader.peekType()
      return reader.offset == 0 ? type : nil
    }
    guard type == .number, text.utf8.last.map({ $0 >= .zero && $0 <= .nine }) == true else {
      return report(.invalidNumber, expected: "the text of a number", found: "another text")
    }
    beginValue()
    append(text)
    endValue()
  }

  /// Writes a value that is JSON already, as it is, also in the pretty style.
  ///
  /// The caller answers for its grammar: give it only what a `JSONReader` has checked or a
  /// `JSONWriter` has made.
  package mutating func checkedJSON(_ bytes: UnsafeBufferPointer<UInt8>) {
    beginValue()
    output.append(bytes)
    endValue()
  }

  /// The same for an array of bytes.
  package mutating func checkedJSON(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { checkedJSON($0) }
  }

  private mutating func word(_ word: StaticString) {
    beginValue()
    output.append(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    endValue()
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { output.append($0) }
  }
}

extension JSONWriter {
  /// Writes a tree.
  package mutating func value(_ value: JSONValue) {
    switch value.content {
    case .null: null()
    case .boolean(let truth): boolean(truth)
    case .number(let number): self.number(number)
    case .string(let text): string(text)
    case .array(let elements):
      array { json in
        for element in elements { json.value(element) }
      }
    case .object(let members):
      object { json in
        for member in members {
          json.key(member.key)
          json.value(member.value)
        }
      }
    }
  }

  package mutating func member(_ key: StaticString, _ value: String) {
    self.key(key)
    string(value)
  }

  package mutating func member(_ key: StaticString, _ value: Int64) {
    self.key(key)
    integer(value)
  }

  package mutating func member(_ key: StaticString, _ value: Double) {
    self.key(key)
    double(value)
  }

  package mutating func member(_ key: StaticString, _ value: Bool) {
    self.key(key)
    boolean(value)
  }

  package mutating func member(_ key: StaticString, _ value: JSONValue) {
    self.key(key)
    self.value(value)
  }

  /// Writes nothing at all for nil.
  package mutating func member(_ key: StaticString, ifPresent value: String?) {
    if let value { member(key, value) }
  }

  /// Writes nothing at all for nil.
  package mutating func member(_ key: StaticString, ifPresent value: Int64?) {
    if let value { member(key, value) }
  }
}

extension JSONValue {
  /// The text of a tree.
  package func bytes(_ style: JSONWriter.Style = .compact) throws(JSONError) -> [UInt8] {
    var json = JSONWriter(style)
    json.value(self)
    return try json.finish()
  }
}

extension OutputBytes {
  @inline(__always)
  mutating func append(decimal value: UInt64) {
    // 20 digits are the most that 64 bits have.
    let target = reserve(20)
    var length = 1
    var rest = value
    while rest >= 10 {
      rest /= 10
      length += 1
    }
    rest = value
    var index = length - 1
    while index > 0 {
      target[index] = .zero + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      index -= 1
    }
    target[0] = .zero + UInt8(truncatingIfNeeded: rest)
    advance(length)
  }
}
