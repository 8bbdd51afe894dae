import DataModel
import FoundationEssentials

/// One value of a tombstone: the property's number, a letter for the kind, the length, and the bytes.
enum TombstoneValue {
  static func append(_ number: Int, _ value: FieldValue, to bytes: inout [UInt8]) {
    guard let (letter, payload) = encoded(value) else { return }
    bytes += PropertyList.bytes([number])
    bytes.append(letter)
    bytes += PropertyList.bytes([payload.count])
    bytes += payload
  }

  /// Notes that a value of `size` bytes was not kept; it is read back as a list of that number.
  static func appendDropped(_ number: Int, size: Int, to bytes: inout [UInt8]) {
    bytes += PropertyList.bytes([number])
    bytes.append(UInt8(ascii: "-"))
    bytes += PropertyList.bytes([8])
    bytes += word(UInt64(bitPattern: Int64(size)))
  }

  static func take(from bytes: inout ArraySlice<UInt8>) -> (Int, FieldValue)? {
    guard let number = takeNumber(from: &bytes), let letter = bytes.popFirst(),
      let count = takeNumber(from: &bytes), count >= 0, count <= bytes.count
    else { return nil }
    let payload = Array(bytes.prefix(count))
    bytes = bytes.dropFirst(count)
    return (number, decoded(letter, payload))
  }

  private static func takeNumber(from bytes: inout ArraySlice<UInt8>) -> Int? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = bytes.popFirst() {
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte & 0x80 == 0 { return Int(truncatingIfNeeded: value) }
      if shift > 56 { return nil }
    }
    return nil
  }

  private static func encoded(_ value: FieldValue) -> (UInt8, [UInt8])? {
    switch value {
    case .boolean(let flag): (UInt8(ascii: "b"), [flag ? 1 : 0])
    case .integer(let number): (UInt8(ascii: "i"), word(UInt64(bitPattern: number)))
    case .double(let number): (UInt8(ascii: "d"), word(number.bitPattern))
    case .date(let date):
      (UInt8(ascii: "t"), word(date.timeIntervalSinceReferenceDate.bitPattern))
    case .string(let text): (UInt8(ascii: "s"), Array(text.utf8))
    case .uri(let text): (UInt8(ascii: "u"), Array(text.utf8))
    case .decimal(let number): (UInt8(ascii: "n"), Array(number.description.utf8))
    case .uuid(let value): (UInt8(ascii: "g"), withUnsafeBytes(of: value.uuid) { Array($0) })
    case .data(let bytes): (UInt8(ascii: "x"), bytes)
    case .objectID(let identity): (UInt8(ascii: "o"), Array(identity.description.utf8))
    case .null, .composite, .list: nil
    }
  }

  private static func decoded(_ letter: UInt8, _ bytes: [UInt8]) -> FieldValue {
    let text = String(decoding: bytes, as: UTF8.self)
    switch letter {
    case UInt8(ascii: "b"): return .boolean(bytes.first == 1)
    case UInt8(ascii: "i"): return .integer(Int64(bitPattern: number(bytes)))
    case UInt8(ascii: "d"): return .double(Double(bitPattern: number(bytes)))
    case UInt8(ascii: "t"):
      return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: number(bytes))))
    case UInt8(ascii: "s"): return .string(text)
    case UInt8(ascii: "u"): return .uri(text)
    case UInt8(ascii: "n"): return Decimal(string: text).map { .decimal($0) } ?? .null
    case UInt8(ascii: "g"):
      return bytes.withUnsafeBytes(UUID.init(bytes:)).map { .uuid($0) } ?? .null
    case UInt8(ascii: "-"): return .list([.integer(Int64(bitPattern: number(bytes)))])
    case UInt8(ascii: "x"): return .data(bytes)
    case UInt8(ascii: "o"): return ObjectIdentity(text).map { .objectID($0) } ?? .null
    default: return .null
    }
  }

  private static func word(_ value: UInt64) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  private static func number(_ bytes: [UInt8]) -> UInt64 {
    bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
