import Testing

@testable import Contrail

@Suite("Texts of decimal numbers")
struct DecimalTextTests {
  @Test func `a number has the text that its description is`() {
    var numbers: [Decimal] = [
      0, 1, -1, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi, -.pi,
      Decimal(UInt64.max), Decimal(Int64.min), Decimal(UInt64.max) + 1, Decimal(1) / 3,
    ]
    let digits: [Int] = [1, 5, 10, 99, 100, 12_340, 999_999_999, 1_234_567_890_123_456_789]
    let exponents: [Int] = [-127, -40, -25, -24, -20, -19, -9, -2, -1, 0, 1, 3, 24, 25, 60]
    for significand in digits {
      for exponent in exponents {
        let number = Decimal(sign: .plus, exponent: exponent, significand: Decimal(significand))
        numbers.append(number)
        numbers.append(-number)
      }
    }
    // What arithmetic gives, trailing zeros and all.
    for (first, second) in zip(numbers, numbers.reversed()) {
      numbers.append(first + second)
      numbers.append(first * second)
    }
    #expect(DecimalText.isKnown)
    let texts = numbers.map { DecimalText.text(of: $0) }
    #expect(texts == numbers.map(\.description))
  }
}
