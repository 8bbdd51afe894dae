import DataModel
import Foundation
import Testing

@testable import ObjectStore

@Suite struct NormalFormTests {
  /// What Foundation says.
  func isComposed(_ text: String) -> Bool {
    text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
  }

  @Test func `scalars that are passed without a look have one form and combine with nothing`() {
    for value in UInt32(0)...0x10ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      let lead = text.utf8.first ?? 0
      guard NormalForm.isInert(value) || NormalForm.isInertLead(lead) else { continue }
      #expect(scalar.properties.canonicalCombiningClass == .notReordered, "\(value)")
      #expect(isComposed(text), "\(value)")
      // Nothing before it makes another scalar of it.
      for base in ["a", "가", "か", "ع", "א", "α", "и", "1"] {
        #expect(isComposed(base + text), "\(base) \(value)")
      }
    }
  }

  @Test func `bytes are looked at eight at a time as they are one at a time`() {
    for value in UInt8.min...UInt8.max {
      for count in 0..<20 {
        for place in 0..<count {
          var bytes = [UInt8](repeating: 0x7f, count: count)
          bytes[place] = value
          let isInert = bytes.withUnsafeBytes(NormalForm.hasInertLeads)
          if isInert != NormalForm.isInertLead(value) {
            Issue.record("\(value) at \(place) of \(count)")
          }
        }
      }
    }
  }

  @Test func `texts of random scalars are judged as Foundation does`() {
    let seed: UInt64 = 20_261_121
    var random = seed
    func next(_ limit: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % limit
    }
    let ranges: [ClosedRange<UInt32>] = [
      0x41...0x7a, 0xc0...0x17f, 0x300...0x345, 0x370...0x3ff, 0x1100...0x11ff, 0x3040...0x30ff,
      0xac00...0xac80, 0x2000...0x212b, 0x4e00...0x4e20, 0x1f300...0x1f320, 0x900...0x9ff,
    ]
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<(1 + next(4)) {
        let range = ranges[Int(next(UInt64(ranges.count)))]
        let value = range.lowerBound + UInt32(next(UInt64(range.count)))
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      #expect(
        NormalForm.isComposed(text) == isComposed(text),
        "seed \(seed): \(text.unicodeScalars.map { String($0.value, radix: 16) })")
    }
  }
}
