/// The SHA-256 digest of FIPS 180-4, for version hashes, fingerprints and files.
///
/// Written out here so that the schema tools need no C library; see ARCHITECTURE.md.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var block: [UInt8] = []
  private var length: UInt64 = 0
  private var schedule = [UInt32](repeating: 0, count: 64)

  /// Starts a digest of nothing.
  package init() { block.reserveCapacity(64) }

  /// The digest of `bytes`, 32 bytes.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hasher = SHA256()
    hasher.update(bytes)
    return hasher.finish()
  }

  /// Takes more bytes.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { take(byte) }
  }

  /// The same, for callers in other modules: they get no specialised copy of the generic one.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { all in
      var rest = all[...]
      while !block.isEmpty, let byte = rest.popFirst() { take(byte) }
      length &+= UInt64(rest.count)
      while rest.count >= Self.blockBytes {
        compress(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockBytes)))
        rest = rest.dropFirst(Self.blockBytes)
      }
      block.append(contentsOf: rest)
    }
  }

  /// How many bytes are worked on at a time.
  private static let blockBytes = 64

  @inline(__always)
  private mutating func take(_ byte: UInt8) {
    block.append(byte)
    length &+= 1
    if block.count == 64 { compress() }
  }

  /// Pads, and gives the digest of all that was taken.
  package consuming func finish() -> [UInt8] {
    let bits = length &* 8
    block.append(0x80)
    if block.count > 56 {
      block.append(contentsOf: repeatElement(0, count: 64 - block.count))
      compress()
    }
    block.append(contentsOf: repeatElement(0, count: 56 - block.count))
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      block.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    compress()
    return state.flatMap { word in
      stride(from: UInt32(24), through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: word >> UInt32($0))
      }
    }
  }

  private mutating func compress() {
    if block.count < 64 { block.append(contentsOf: repeatElement(0, count: 64 - block.count)) }
    let full = block
    full.withUnsafeBytes { compress($0) }
    block.removeAll(keepingCapacity: true)
  }

  /// Takes in the 64 bytes of a block.
  private mutating func compress(_ bytes: UnsafeRawBufferPointer) {
    schedule.withUnsafeMutableBufferPointer { schedule in
      for index in 0..<16 {
        schedule[index] = UInt32(
          bigEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
      }
      for index in 16..<64 {
        schedule[index] =
          schedule[index - 16] &+ schedule[index - 15].smallSigma(7, 18, 3) &+ schedule[index - 7]
          &+ schedule[index - 2].smallSigma(17, 19, 10)
      }
    }
    mix()
  }

  private mutating func mix() {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    Self.constants.withUnsafeBufferPointer { constants in
      schedule.withUnsafeBufferPointer { schedule in
        for index in 0..<64 {
          let first =
            h &+ e.bigSigma(6, 11, 25) &+ ((e & f) ^ (~e & g)) &+ constants[index]
            &+ schedule[index]
          let second = a.bigSigma(2, 13, 22) &+ ((a & b) ^ (a & c) ^ (b & c))
          (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
      }
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

extension UInt32 {
  @inline(__always)
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }

  @inline(__always)
  fileprivate func bigSigma(_ first: UInt32, _ second: UInt32, _ third: UInt32) -> UInt32 {
    rotated(first) ^ rotated(second) ^ rotated(third)
  }

  @inline(__always)
  fileprivate func smallSigma(_ first: UInt32, _ second: UInt32, _ shift: UInt32) -> UInt32 {
    rotated(first) ^ rotated(second) ^ (self >> shift)
  }
}

extension Sequence<UInt8> {
  /// The bytes in hexadecimal, two lower-case digits each.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
