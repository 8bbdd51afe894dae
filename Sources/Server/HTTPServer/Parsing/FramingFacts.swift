/// What the headers say about where a request ends and what becomes of its connection.
///
/// Two readers that disagree about this are what request smuggling lives on, so whatever has two readings is a
/// fault (RFC 9112, sections 3.2, 6.1, 6.3 and 11.2).
struct FramingFacts {
  private var host: ArraySlice<UInt8>?
  private var length: Int?
  private var codings: [ArraySlice<UInt8>] = []
  private var expectations: [ArraySlice<UInt8>] = []
  /// Whether `Connection` asks for the end.
  private(set) var closes = false

  /// Takes a header.
  mutating func note(
    _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>
  ) throws(RequestFault) {
    switch name.count {
    case 4 where ASCII.equal(name, "host".utf8):
      guard host == nil else { throw .repeatedHost }
      guard ASCII.all(value, ASCII.isHost) else { throw .malformedHost }
      host = value
    case 6 where ASCII.equal(name, "expect".utf8): expectations.append(value)
    case 10 where ASCII.equal(name, "connection".utf8):
      closes = closes || ASCII.list(value).contains { ASCII.equal($0, "close".utf8) }
    case 14 where ASCII.equal(name, "content-length".utf8):
      let number = try Self.number(value)
      guard length == nil else { throw .repeatedLength }
      length = number
    case 17 where ASCII.equal(name, "transfer-encoding".utf8): codings += ASCII.list(value)
    default: break
    }
  }

  func checkHost(version: HTTPVersion) throws(RequestFault) {
    guard host != nil || version == .http10 else { throw .missingHost }
  }

  func bodyFraming(version: HTTPVersion) throws(RequestFault) -> BodyFraming {
    guard !codings.isEmpty else {
      return length.map { $0 == 0 ? .none : .length($0) } ?? .none
    }
    guard length == nil else { throw .lengthAndCoding }
    guard version == .http11 else { throw .codingBefore11 }
    for coding in codings {
      guard !coding.isEmpty else { throw .malformedCoding }
      guard ASCII.equal(coding, "chunked".utf8) else { throw .unknownCoding }
    }
    guard codings.count == 1 else { throw .malformedCoding }
    return .chunked
  }

  func expectsContinue(version: HTTPVersion) throws(RequestFault) -> Bool {
    guard version == .http11, !expectations.isEmpty else { return false }
    for value in expectations where !ASCII.equal(value, "100-continue".utf8) {
      throw .unknownExpectation
    }
    return true
  }

  /// Digits only, and no more than fit: no sign, no list, no white space within.
  private static func number(_ bytes: ArraySlice<UInt8>) throws(RequestFault) -> Int {
    guard !bytes.isEmpty else { throw .malformedLength }
    var number = 0
    for byte in bytes {
      guard (0x30...0x39).contains(byte) else { throw .malformedLength }
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflowToo) = tens.addingReportingOverflow(Int(byte) - 0x30)
      guard !overflow, !overflowToo else { throw .malformedLength }
      number = sum
    }
    return number
  }
}
