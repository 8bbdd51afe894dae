import ObjectStore

/// Opens any bytes as a binary store, as they are and with checksums made right, behind which
/// hardly any input would get otherwise.
///
/// Whatever comes, it ends with a `StoreError`, or with a store that can be written, and that then
/// reads as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStoreBinary(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  check(bytes)
  check(mended(bytes))
  return 0
}

private func check(_ bytes: [UInt8]) {
  let first: [UInt8]
  do {
    first = try StoreBytes.rewritten(bytes, as: .binary)
  } catch {
    precondition(error is StoreError, "an error of another type: \(error)")
    return
  }
  let second = try? StoreBytes.rewritten(first, as: .binary)
  precondition(second == first, "what was accepted is written and read as something else")
}

/// The bytes with right checksums of the header and of all sections, whose lengths are cut to fit.
private func mended(_ bytes: [UInt8]) -> [UInt8] {
  guard bytes.count > 32 else { return bytes }
  var result = Array(bytes.prefix(24))
  var sections: [[UInt8]] = []
  var offset = 32
  while offset + 12 < bytes.count {
    // Lengths beyond two bytes are longer than any input.
    let length = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    offset += 12
    let end = min(bytes.count, offset + length)
    sections.append(Array(bytes[offset..<end]))
    offset = end
  }
  result += littleEndian(UInt32(sections.count))
  result += littleEndian(checksum(result))
  for section in sections {
    result += littleEndian(UInt64(section.count)) + littleEndian(checksum(section)) + section
  }
  return result
}

private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

private func checksum(_ bytes: [UInt8]) -> UInt32 {
  var sum: UInt32 = 0xffff_ffff
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 1 ? 0xedb8_8320 ^ (sum >> 1) : sum >> 1 }
  }
  return ~sum
}
