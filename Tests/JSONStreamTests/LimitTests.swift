import JSONStream
import Testing

@Suite struct LimitTests {
  @Test func `each limit lets through what it names, and nothing more`() {
    check(JSONLimits(depthMax: 2), "[[]]", "[[[]]]", .tooDeep)
    check(JSONLimits(depthMax: 0), "1", "[]", .tooDeep)
    check(JSONLimits(textBytesMax: 4), "1234", "12345", .textTooLong)
    check(JSONLimits(stringBytesMax: 3), #"["abc"]"#, #"["abcd"]"#, .stringTooLong)
    check(JSONLimits(stringBytesMax: 3), #"{"abc":1}"#, #"{"abcd":1}"#, .stringTooLong)
    check(JSONLimits(numberBytesMax: 3), "-12", "-123", .numberTooLong)
  }

  @Test func `no limit allows deeper nesting than the ceiling, which a thread's stack can hold`() {
    var limits = JSONLimits(depthMax: .max)
    #expect(limits.depthMax == JSONLimits.depthCeiling)
    limits.depthMax = .max
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    check(limits, nested(JSONLimits.depthCeiling), nested(JSONLimits.depthCeiling + 1), .tooDeep)
  }

  @Test func `nesting deeper than a word of bits keeps objects and arrays apart`() throws {
    var text = "1"
    for level in 0..<200 { text = level % 3 == 0 ? #"{"a":\#(text)}"# : "[\(text)]" }
    let value = try JSONValue(reading: text, limits: JSONLimits(depthMax: 200))
    #expect(String(decoding: try value.bytes(), as: UTF8.self) == text)
  }

  private func check(
    _ limits: JSONLimits, _ allowed: String, _ refused: String, _ code: JSONError.Code
  ) {
    for attempt in [validate, build] {
      #expect(problem { try attempt(allowed, limits) } == nil, "\(allowed.prefix(20))")
      #expect(problem { try attempt(refused, limits) } == code, "\(refused.prefix(20))")
    }
  }

  private func validate(_ text: String, _ limits: JSONLimits) throws {
    try JSONReader.validate(Array(text.utf8), limits: limits)
  }

  private func build(_ text: String, _ limits: JSONLimits) throws {
    _ = try JSONValue(reading: text, limits: limits)
  }
}

@Suite struct DuplicateKeyTests {
  @Test func `a key twice is found among any number of keys, at its second place`() throws {
    for count in [1, 2, 7, 31, 32, 33, 100, 1_000] {
      let keys = (0..<count).map { "\"key\($0)\":0" }
      try JSONReader.validate(Array("{\(keys.joined(separator: ","))}".utf8))
      for repeated in [0, count / 2, count - 1] {
        let text = "{\((keys + [keys[repeated]]).joined(separator: ","))}"
        let error = #expect(throws: JSONError.self) {
          try JSONReader.validate(Array(text.utf8))
        }
        #expect(error?.code == .duplicateKey)
        #expect(error?.position.offset == text.utf8.count - keys[repeated].utf8.count - 1)
      }
    }
  }

  @Test func `keys of every length, alike but for one byte, are told apart`() throws {
    for length in 0..<40 {
      let key = String(repeating: "k", count: length)
      for place in 0..<length {
        var other = Array(key.utf8)
        other[place] = UInt8(ascii: "x")
        let text = #"{"\#(key)":1,"\#(String(decoding: other, as: UTF8.self))":2}"#
        #expect(problem { try JSONReader.validate(Array(text.utf8)) } == nil, "\(text)")
      }
      let twice = #"{"\#(key)":1,"\#(key)":2}"#
      #expect(problem { try JSONReader.validate(Array(twice.utf8)) } == .duplicateKey, "\(twice)")
    }
  }

  @Test func `an inner object does not disturb the keys of the outer one`() {
    let text = #"{"a":{"a":1,"b":{"a":{}}},"b":[{"b":1},{"b":1}],"a":0}"#
    let error = #expect(throws: JSONError.self) { try JSONReader.validate(Array(text.utf8)) }
    #expect(error?.position == JSONPosition(line: 1, column: 49, offset: 48))
  }

  @Test func `letters that look the same but are other code points are other keys`() throws {
    try JSONReader.validate(Array("{\"\u{e9}\":1,\"e\u{301}\":2}".utf8))
  }
}
