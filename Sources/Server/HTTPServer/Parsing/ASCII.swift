import Glibc

/// The classes of bytes that HTTP's grammar is made of (RFC 9110, section 5.6).
package enum ASCII {
  package static let lineFeed: UInt8 = 0x0A
  package static let carriageReturn: UInt8 = 0x0D
  package static let space: UInt8 = 0x20
  package static let tab: UInt8 = 0x09
  package static let colon: UInt8 = 0x3A
  package static let semicolon: UInt8 = 0x3B

  /// `tchar`: what names of headers and methods are made of.
  @inline(__always)
  package static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    // ! # $ % & ' * + - . ^ _ ` | ~
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
    default: false
    }
  }

  /// What values of headers are made of: visible bytes, spaces, tabs, and bytes beyond ASCII.
  @inline(__always)
  package static func isFieldValue(_ byte: UInt8) -> Bool {
    (byte >= 0x20 && byte != 0x7F) || byte == tab
  }

  /// What targets are made of here: visible ASCII without `#`, which begins a fragment and is never sent.
  @inline(__always)
  package static func isTarget(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != 0x23
  }

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
      second.withContiguousStorageIfAvailable { second in
        first.indices.allSatisfy { lowercased(first[$0]) == lowercased(second[$0]) }
      }
    }
    if let isEqual = isEqual ?? nil { return isEqual }
    return zip(first, second).allSatisfy { lowercased($0) == lowercased($1) }
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
