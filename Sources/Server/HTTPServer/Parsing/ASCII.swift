import Glibc

/// The classes of bytes that HTTP's grammar is made of (RFC 9110, section 5.6).
package enum ASCII {
  package static let lineFeed: UInt8 = 0x0A
  package static let carriageReturn: UInt8 = 0x0D
  package static let space: UInt8 = 0x20
  package static let tab: UInt8 = 0x09
  package static let colon: UInt8 = 0x3A
  package static let semicolon: UInt8 = 0x3B
  package static let slash: UInt8 = 0x2F

  /// `tchar`: what names of headers and methods are made of.
  @inline(__always)
  package static func isToken(_ byte: UInt8) -> Bool {
    // NB: a bit for each, since nearly every byte of a head is asked about.
    let word = byte < 64 ? lowTokens : byte < 128 ? highTokens : 0
    return word >> UInt64(byte & 63) & 1 != 0
  }

  /// A bit for each byte below 64 that names are made of: digits, and ! # $ % & ' * + - and the full stop.
  private static let lowTokens: UInt64 = 0x03ff_6cfa_0000_0000
  /// A bit for each byte from 64 on: letters, and ^ _ ` | and the tilde.
  private static let highTokens: UInt64 = 0x57ff_ffff_c7ff_fffe

  /// What values of headers are made of: visible bytes, spaces, tabs, and bytes beyond ASCII.
  @inline(__always)
  package static func isFieldValue(_ byte: UInt8) -> Bool {
    (byte >= 0x20 && byte != 0x7F) || byte == tab
  }

  /// Whether targets are made of these bytes here: visible ASCII without `#`, which begins a fragment and is never
  /// sent.
  package static func areTarget(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      arePrintable(bytes) && place(of: space, in: bytes) == bytes.count
        && place(of: 0x23, in: bytes) == bytes.count
    }
  }

  /// Whether values of headers are made of these bytes.
  package static func areFieldValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    arePrintable(UnsafeRawBufferPointer(bytes)) || bytes.allSatisfy(isFieldValue)
  }

  /// The same of a text.
  static func areFieldValue(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable(areFieldValue) ?? text.utf8.allSatisfy(isFieldValue)
  }

  /// Whether all bytes are from 0x20 to 0x7E.
  ///
  /// NB: eight at once, since nearly every byte of a head is asked about. In a word, a byte below 0x20 borrows from
  /// its highest bit, 0x7F carries into it, and others beyond ASCII have it.
  private static func arePrintable(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var others: UInt64 = 0
    var place = 0
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      others |= word | (word &- each * 0x20) | (word &+ each)
      place += 8
    }
    while place < bytes.count {
      let byte = UInt64(bytes[place])
      others |= (byte &- 0x20 < 0x7F - 0x20) ? 0 : highest
      place += 1
    }
    return others & highest == 0
  }

  /// A one in each byte of a word.
  private static let each: UInt64 = 0x0101_0101_0101_0101
  /// The highest bit of each byte of a word.
  private static let highest: UInt64 = 0x8080_8080_8080_8080

  /// What `Host` is made of: names, addresses, brackets and a port (RFC 3986, section 3.2.2).
  package static func isHost(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    // ! $ % & ' ( ) * + , - . : ; = [ ] _ ~
    case 0x21, 0x24...0x2E, 0x3A, 0x3B, 0x3D, 0x5B, 0x5D, 0x5F, 0x7E: true
    default: false
    }
  }

  /// The value of a hexadecimal digit.
  package static func hexValue(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x41 + 10
    case 0x61...0x66: Int(byte) - 0x61 + 10
    default: nil
    }
  }

  @inline(__always)
  package static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Whether two texts are equal but for the case of ASCII letters.
  package static func equal(
    _ first: some Collection<UInt8>, _ second: some Collection<UInt8>
  ) -> Bool {
    guard first.count == second.count else { return false }
    // NB: most names lie in one piece, and comparing those takes a fifth of the time.
    let isEqual = first.withContiguousStorageIfAvailable { first in
      second.withContiguousStorageIfAvailable { second in areEqual(first, second) }
    }
    if let isEqual = isEqual ?? nil { return isEqual }
    return zip(first, second).allSatisfy { lowercased($0) == lowercased($1) }
  }

  /// The same for texts of one length that lie in one piece.
  // NB: to the end also when the answer is known, so that the compiler can look at many bytes at once.
  private static func areEqual(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var others: UInt8 = 0
    for index in 0..<min(first.count, second.count) {
      others |= lowercased(first[index]) ^ lowercased(second[index])
    }
    return others == 0
  }

  /// Whether all bytes of a text are of a class.
  @inline(__always)
  static func all(_ text: String, _ isOfClass: (UInt8) -> Bool) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { all($0, isOfClass) }
      ?? text.utf8.allSatisfy(isOfClass)
  }

  /// Whether all bytes are of a class.
  // NB: in its caller, and to the end also when the answer is known, so that the compiler can look at many
  // bytes at once.
  @inline(__always)
  static func all(_ bytes: UnsafeBufferPointer<UInt8>, _ isOfClass: (UInt8) -> Bool) -> Bool {
    var others: UInt8 = 0
    for byte in bytes { others |= isOfClass(byte) ? 0 : 1 }
    return others == 0
  }

  /// Whether all bytes are of a class.
  @inline(__always)
  static func all(_ bytes: ArraySlice<UInt8>, _ isOfClass: (UInt8) -> Bool) -> Bool {
    bytes.withUnsafeBufferPointer { all($0, isOfClass) }
  }

  /// Where a byte comes first; the count where it does not.
  static func place(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int {
    guard let start = bytes.baseAddress,
      let found = memchr(start, Int32(byte), bytes.count)
    else { return bytes.count }
    return start.distance(to: UnsafeRawPointer(found))
  }

  /// Where a byte comes first among others; the end of those where it does not.
  static func place(of byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int {
    bytes.startIndex + bytes.withUnsafeBytes { place(of: byte, in: $0) }
  }

  /// The parts between commas, without the white space around them.
  package static func list(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 0x2C, omittingEmptySubsequences: false).map(trimmed)
  }

  /// The bytes without spaces and tabs around them.
  package static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let first = rest.first, first == space || first == tab { rest.removeFirst() }
    while let last = rest.last, last == space || last == tab { rest.removeLast() }
    return rest
  }
}
