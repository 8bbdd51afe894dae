/// The checksum of zlib and PNG (CRC-32, polynomial 0xEDB88320): finds damage, not malice.
enum CRC32 {
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum: UInt32 = 0xffff_ffff
    table.withUnsafeBufferPointer { table in
      for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xff)] ^ (sum >> 8) }
    }
    return sum ^ 0xffff_ffff
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in
      sum & 1 == 1 ? 0xedb8_8320 ^ (sum >> 1) : sum >> 1
    }
  }
}
