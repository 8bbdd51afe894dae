import Foundation
import SchemaGenerator
import Testing

@testable import SyncClient

@Suite struct CanonicalTests {
  @Test func `times round half to even, and beyond 64 bits there are none`() {
    let cases: [(Double, Int64?)] = [
      (0, 978_307_200_000), (0.000_5, 978_307_200_000), (0.001_5, 978_307_200_002),
      (-0.000_5, 978_307_200_000), (-978_307_200, 0), (1e300, nil), (-1e300, nil), (.nan, nil),
      (.infinity, nil), (9.3e15, nil), (-9.3e15, nil),
    ]
    for (seconds, expected) in cases {
      #expect(CanonicalDate.milliseconds(seconds) == expected, "\(seconds)")
    }
    #expect(CanonicalDate.seconds(.min) == nil)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `every millisecond of 70,000 years is a time, and any time is one of the wire's`(
    _ seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let near = Int64.random(in: -2_200_000_000_000_000...2_200_000_000_000_000, using: &generator)
      #expect(
        CanonicalDate.seconds(near).flatMap(CanonicalDate.milliseconds) == near,
        "seed \(seed): \(near)")
      let any = Double(bitPattern: generator.next())
      let wide = Double(Int64(truncatingIfNeeded: generator.next())) / 1000
      for seconds in [any, wide] {
        guard let milliseconds = CanonicalDate.milliseconds(seconds) else { continue }
        #expect(
          CanonicalDate.seconds(milliseconds).flatMap(CanonicalDate.milliseconds) == milliseconds,
          "seed \(seed): \(seconds)")
      }
    }
  }

  @Test func `decimals are written one way`() {
    let cases: [(String, String?)] = [
      ("0", "0"), ("-0", "0"), ("00", "0"), ("1.50", "1.5"), ("1.5", "1.5"), ("-7", "-7"),
      ("+7", "7"), (".5", "0.5"), ("5.", "5"), ("0.0", "0"), ("1e3", "1000"), ("1E-3", "0.001"),
      ("", nil), ("-", nil), (".", nil), ("1.5abc", nil), ("abc", nil), (" 1", nil), ("NaN", nil),
      ("1e", nil), ("1e99999", nil), ("0x10", nil), ("1,5", nil), ("1.2.3", nil),
      (String(repeating: "9", count: 38), String(repeating: "9", count: 38)),
      (String(repeating: "1", count: 401), nil),
    ]
    for (text, expected) in cases { #expect(CanonicalDecimal.text(text) == expected, "\(text)") }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `a canonical decimal stays as it is, as text and as a number`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let digits = (0..<(1 + generator.below(45))).map { _ in "\(generator.below(10))" }.joined()
      let written =
        (generator.oneIn(2) ? "-" : "") + digits
        + (generator.oneIn(2) ? ".\(generator.below(1_000_000))" : "")
        + (generator.oneIn(2) ? "e\(generator.below(220) - 110)" : "")
      if let text = CanonicalDecimal.text(written) {
        #expect(CanonicalDecimal.text(text) == text, "seed \(seed): \(written)")
        #expect(Decimal(string: text)?.description == text, "seed \(seed): \(written)")
        if let number = CanonicalDecimal.number(text) {
          let again = CanonicalDecimal.text(number).flatMap(CanonicalDecimal.number)
          #expect(again == number, "seed \(seed): \(written)")
        }
      }
      let number = Double(bitPattern: generator.next())
      if let text = CanonicalDecimal.text(number) {
        #expect(CanonicalDecimal.number(text) == number, "seed \(seed): \(number)")
      }
    }
  }
}
