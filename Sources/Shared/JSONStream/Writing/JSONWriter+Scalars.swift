extension JSONWriter {
  /// Writes `null`.
  public mutating func null() { word("null") }

  /// Writes `true` or `false`.
  public mutating func boolean(_ value: Bool) { word(value ? "true" : "false") }

  /// Writes an integer.
  public mutating func integer(_ value: Int64) {
    beginValue()
    if value < 0 { output.append(.minus) }
    output.append(decimal: value.magnitude)
    endValue()
  }

  /// Writes an integer without a sign.
  public mutating func unsigned(_ value: UInt64) {
    beginValue()
    output.append(decimal: value)
    endValue()
  }

  /// Writes the shortest text that reads back as the same double, always with a fraction or an
  /// exponent, so that it stays a double.
  ///
  /// A NaN or an infinity is a problem that `finish` throws.
  public mutating func double(_ value: Double) {
    guard value.isFinite else {
      return report(.notFinite, expected: "a finite number", found: "\(value)")
    }
    beginValue()
    value.description.withBytes { output.append($0) }
    endValue()
  }

  /// Writes a number as the kind that it is.
  public mutating func number(_ value: JSONNumber) {
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
  public mutating func numberText(_ text: String) {
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
  public mutating func checkedJSON(_ bytes: UnsafeBufferPointer<UInt8>) {
    beginValue()
    output.append(bytes)
    endValue()
  }

  /// The same for an array of bytes.
  public mutating func checkedJSON(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { checkedJSON($0) }
  }

  private mutating func word(_ word: StaticString) {
    beginValue()
    output.append(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    endValue()
  }

  private mutating func append(_ text: String) {
    text.withBytes { output.append($0) }
  }
}
