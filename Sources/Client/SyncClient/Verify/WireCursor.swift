import Glibc

/// Goes through the fields of a record as they stand in canonical JSON, and compares them with values
/// without reading them.
///
/// It says no where it cannot tell: whoever asks then reads the fields. It never says yes of two values that
/// are not the same.
struct WireCursor {
  private let bytes: UnsafeRawBufferPointer
  private var place = 1

  /// Begins before the first field; nil for what is no object.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.first == UInt8(ascii: "{"), bytes.count > 1 else { return nil }
    self.bytes = bytes
  }

  /// Goes behind `text` if it is next.
  @inline(__always)
  mutating func take(_ text: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count &- place >= text.count else { return false }
    let next = UnsafeRawBufferPointer(rebasing: bytes[place..<place &+ text.count])
    guard next.elementsEqualBytes(of: text) else { return false }
    place = place &+ text.count
    return true
  }

  @inline(__always)
  mutating func take(_ text: [UInt8]) -> Bool { text.withUnsafeBytes { take($0) } }

  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place = place &+ 1
    return true
  }

  /// Goes behind a string whose text is `text`, and that has nothing that JSON escapes.
  mutating func takeString(_ text: UnsafeRawBufferPointer) -> Bool {
    take(UInt8(ascii: "\"")) && take(text) && take(UInt8(ascii: "\"")) && !text.hasEscapes
  }

  /// Goes behind a number.
  mutating func takeInteger(_ value: Int64) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      var first = digits.count
      var rest = value.magnitude
      repeat {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        first -= 1
        digits[first] = UInt8(ascii: "-")
      }
      return take(UnsafeRawBufferPointer(rebasing: digits[first...]))
    }
  }

  /// Goes behind a plain word: digits, or a text without quotes around it here.
  mutating func takeWord(_ word: String) -> Bool {
    var word = word
    return word.withUTF8 { take(UnsafeRawBufferPointer($0)) }
  }

  /// Goes behind the comma after a field, or stays before the end.
  mutating func endField() -> Bool {
    take(UInt8(ascii: ",")) || (place < bytes.count && bytes[place] == UInt8(ascii: "}"))
  }

  /// Whether the next field has that name, spelled without escapes.
  func isAt(_ name: [UInt8]) -> Bool {
    var ahead = self
    return ahead.take(UInt8(ascii: "\"")) && ahead.take(name) && ahead.take(UInt8(ascii: "\""))
  }

  /// Whether the next field has a name that comes before `name`; false at the end, and where the name has
  /// escapes.
  func isBefore(_ name: [UInt8]) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return false }
    let key = bytes[(place + 1)...].prefix { $0 != UInt8(ascii: "\"") }
    return !key.contains(UInt8(ascii: "\\")) && key.lexicographicallyPrecedes(name)
  }

  /// Goes behind the next field whatever it holds; false where it does not end.
  mutating func skipField() -> Bool {
    var depth = 0
    var isInString = false
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\\") where isInString: place += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString:
        depth -= 1
        if depth == 0 { return endField() }
        if depth < 0 { return false }
      default: break
      }
    }
    return false
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a JSON string would spell something of this text otherwise.
  fileprivate var hasEscapes: Bool {
    contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
  }

  @inline(__always)
  fileprivate func elementsEqualBytes(of other: UnsafeRawBufferPointer) -> Bool {
    guard let start = baseAddress, let otherStart = other.baseAddress else { return isEmpty }
    return memcmp(start, otherStart, count) == 0
  }
}
