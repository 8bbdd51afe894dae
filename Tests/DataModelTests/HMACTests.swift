import Testing

@testable import DataModel

/// The vectors of RFC 4231, but for the one of a shortened code.
@Suite struct HMACTests {
  struct Vector: CustomTestStringConvertible {
    var number: Int
    var key: [UInt8]
    var message: [UInt8]
    var code: String

    var testDescription: String { "case \(number)" }
  }

  static let vectors = [
    Vector(
      number: 1, key: Array(repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
      code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    Vector(
      number: 2, key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
      code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    Vector(
      number: 3, key: Array(repeating: 0xaa, count: 20),
      message: Array(repeating: 0xdd, count: 50),
      code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    Vector(
      number: 4, key: Array(1...25), message: Array(repeating: 0xcd, count: 50),
      code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    Vector(
      number: 6, key: Array(repeating: 0xaa, count: 131),
      message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    Vector(
      number: 7, key: Array(repeating: 0xaa, count: 131),
      message: Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
      code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
  ]

  @Test(arguments: vectors)
  func `the code of a message is that of the standard`(vector: Vector) {
    let hmac = HMACSHA256(key: vector.key)
    #expect(hmac.code(of: vector.message).hexadecimal == vector.code)
    #expect(hmac.code(of: vector.message).hexadecimal == vector.code, "the second time")
  }

  @Test func `codes are equal when all of their bytes are`() {
    #expect(HMACSHA256.isEqual([1, 2, 3], [1, 2, 3]))
    #expect(HMACSHA256.isEqual([UInt8](), []))
    for other: [UInt8] in [[0, 2, 3], [1, 0, 3], [1, 2, 0], [1, 2], [1, 2, 3, 4], []] {
      #expect(!HMACSHA256.isEqual([1, 2, 3], other), "\(other)")
    }
  }
}
