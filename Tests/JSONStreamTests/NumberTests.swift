import JSONStream
import Testing

@Suite struct NumberTests {
  @Test func `integers of 64 bits are read to the last one, and not beyond`() throws {
    #expect(try integer("9223372036854775807") == .max)
    #expect(try integer("-9223372036854775808") == .min)
    #expect(try integer("-0") == 0)
    #expect(try integer("1000000000000000000") == 1_000_000_000_000_000_000)
    #expect(try unsigned("18446744073709551615") == .max)
    #expect(try unsigned("-0") == 0)
    #expect(problem { _ = try integer("9223372036854775808") } == .numberOutOfRange)
    #expect(problem { _ = try integer("-9223372036854775809") } == .numberOutOfRange)
    #expect(problem { _ = try integer("100000000000000000000") } == .numberOutOfRange)
    #expect(problem { _ = try unsigned("18446744073709551616") } == .numberOutOfRange)
    #expect(problem { _ = try unsigned("-1") } == .numberOutOfRange)
    #expect(problem { _ = try integer("1.0") } == .wrongType)
    #expect(problem { _ = try integer("1e2") } == .wrongType)
  }

  @Test func `a number stays the kind that its text is`() throws {
    #expect(try number("1") == .integer(1))
    #expect(try number("9223372036854775808") == .unsigned(1 << 63))
    #expect(try number("18446744073709551616") == .literal("18446744073709551616"))
    #expect(try number("-9223372036854775809") == .literal("-9223372036854775809"))
    #expect(try number("1.0") == .double(1))
    #expect(try number("1e400") == .literal("1e400"))
    #expect(try number("-0") == .double(-0.0))
    #expect(try text("0.10000000000000000000000000000001") == "0.10000000000000000000000000000001")
  }

  @Test func `hard doubles are read as the nearest`() throws {
    let cases: [(String, Double)] = [
      ("2.2250738585072012e-308", 2.2250738585072014e-308),
      ("2.2250738585072011e-308", Double(bitPattern: 0x000f_ffff_ffff_ffff)),
      ("0.30000000000000004", 0.1 + 0.2), ("1e23", 1e23), ("8.5e22", 8.5e22),
      ("9007199254740993", 9_007_199_254_740_992), ("9007199254740993.0", 9_007_199_254_740_992),
      ("9007199254740993.00000000000000000000000001", 9_007_199_254_740_994),
      ("5e-324", .leastNonzeroMagnitude), ("2.4703282292062327e-324", 0),
      ("2.4703282292062328e-324", .leastNonzeroMagnitude),
      ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1e-400", 0), ("-1e-400", -0.0),
      ("123456789012345678901234567890", 1.2345678901234568e29),
      ("0.000000000000000000000000000000000000012345678901234567", 1.2345678901234567e-38),
      ("7.2057594037927933e16", 72_057_594_037_927_936), ("1e22", 1e22), ("1e-22", 1e-22),
      ("6.631236846766476e-316", Double("6.631236846766476e-316") ?? 0),
    ]
    for (text, expected) in cases {
      #expect(try double(text).bitPattern == expected.bitPattern, "\(text)")
    }
    #expect(problem { _ = try double("1.7976931348623159e308") } == .numberOutOfRange)
    #expect(problem { _ = try double("1e309") } == .numberOutOfRange)
    #expect(problem { _ = try double("-1e99999999999999999999") } == .numberOutOfRange)
  }

  @Test func `doubles of all bit patterns come back bit by bit`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    for _ in 0..<50_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(try double(written(value)).bitPattern == value.bitPattern, "seed \(seed)")
    }
  }

  @Test func `short decimals are read as the compiler's own library reads them`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    for _ in 0..<50_000 {
      let digits = random.next() >> (random.next() % 64)
      let text = "\(digits)e\(Int(random.next() % 60) - 30)"
      #expect(try double(text) == Double(text), "seed \(seed), \(text)")
    }
  }

  @Test func `doubles are written as short as they can be, and stay doubles`() throws {
    let cases: [(Double, String)] = [
      (1, "1.0"), (-0.0, "-0.0"), (0.1 + 0.2, "0.30000000000000004"), (1e23, "1e+23"),
      (.leastNonzeroMagnitude, "5e-324"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
      (100_000, "100000.0"),
    ]
    for (value, text) in cases { #expect(try written(value) == text) }
  }

  @Test func `integers are written in full`() throws {
    var json = JSONWriter()
    var expected: [String] = []
    json.array { json in
      for shift in 0..<64 {
        let value = UInt64.max >> shift
        json.unsigned(value)
        json.integer(Int64(truncatingIfNeeded: value))
        expected += ["\(value)", "\(Int64(truncatingIfNeeded: value))"]
      }
      var power: Int64 = 1
      for _ in 0..<18 {
        for value in [power - 1, power, -power, power * 9] {
          json.integer(value)
          expected.append("\(value)")
        }
        power *= 10
      }
      json.integer(.min)
      expected.append("\(Int64.min)")
    }
    #expect(
      String(decoding: try json.finish(), as: UTF8.self) == "[\(expected.joined(separator: ","))]")
  }
}

extension NumberTests {
  private func read<Result>(
    _ text: String, _ body: (inout JSONReader) throws -> Result
  ) throws -> Result {
    try JSONReader.read(Array(text.utf8), body)
  }

  private func integer(_ text: String) throws -> Int64 { try read(text) { try $0.readInt64() } }
  private func unsigned(_ text: String) throws -> UInt64 { try read(text) { try $0.readUInt64() } }
  private func double(_ text: String) throws -> Double { try read(text) { try $0.readDouble() } }
  private func number(_ text: String) throws -> JSONNumber {
    try read(text) { try $0.readNumber() }
  }
  private func text(_ text: String) throws -> String { try read(text) { try $0.readNumberText() } }

  private func written(_ value: Double) throws -> String {
    var json = JSONWriter()
    json.double(value)
    return String(decoding: try json.finish(), as: UTF8.self)
  }
}

/// The code of the error that `body` throws.
func problem(_ body: () throws -> Void) -> JSONError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? JSONError)?.code
  }
}

/// Random numbers that a seed gives again.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
