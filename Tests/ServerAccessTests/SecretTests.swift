import Testing

@testable import ServerAccess

@Suite struct `Secrets` {
  private func bytes(_ text: String) -> [UInt8] {
    HexText.bytes(text.filter { $0 != " " }.utf8) ?? []
  }

  // FIPS 180-4's examples.
  @Test(arguments: [
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ])
  func `a digest is SHA-256`(text: String, digest: String) {
    #expect(Digest256(of: Array(text.utf8))?.bytes == bytes(digest))
  }

  @Test func `digests that differ in one bit are not equal`() throws {
    let digest = try #require(Digest256(of: [1]))
    for bit in 0..<256 {
      var changed = digest.bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(Digest256(bytes: changed) != digest, "bit \(bit)")
    }
    #expect(Digest256(bytes: digest.bytes) == digest)
    #expect(Digest256(bytes: []) == nil)
  }

  // RFC 4231, test cases 1, 2 and 6.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `a keyed hash is HMAC-SHA256`(key: [UInt8], message: String, code: String) {
    #expect(KeyedHash.code(Array(message.utf8), key: key) == bytes(code))
  }

  /// One of RFC 7914's test vectors (section 12).
  struct Vector: Sendable {
    var password: String
    var salt: String
    var logN: Int
    var r: UInt64
    var p: UInt64
    var key: String
  }

  @Test(arguments: [
    Vector(
      password: "", salt: "", logN: 4, r: 1, p: 1,
      key: """
        77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442\
        fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
        """),
    Vector(
      password: "password", salt: "NaCl", logN: 10, r: 8, p: 16,
      key: """
        fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162\
        2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
        """),
    Vector(
      password: "pleaseletmein", salt: "SodiumChloride", logN: 14, r: 8, p: 1,
      key: """
        7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2\
        d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
        """),
  ])
  func `a password's hash is scrypt`(vector: Vector) {
    let key = PasswordHash.scrypt(
      Array(vector.password.utf8), salt: Array(vector.salt.utf8), logN: vector.logN, r: vector.r,
      p: vector.p, count: 64)
    #expect(key == bytes(vector.key))
  }

  @Test func `the standard cost works, and only the password itself matches`() throws {
    let salt = [UInt8](repeating: 7, count: 16)
    let hash = try #require(PasswordHash(of: "correct horse", salt: salt, cost: .standard))
    #expect(hash.logN == 15)
    #expect(hash.matches("correct horse"))
    #expect(!hash.matches("correct horsf"))
  }

  @Test func `a damaged hash matches nothing`() throws {
    let cost = PasswordCost(logN: 4)
    let hash = try #require(PasswordHash(of: "correct horse", salt: [1], cost: cost))
    for logN in [-1, 0, 3, 18, 64, Int.max] {
      #expect(!PasswordHash(salt: hash.salt, hash: hash.hash, logN: logN).matches("correct horse"))
    }
    #expect(!PasswordHash(salt: hash.salt, hash: [], logN: 4).matches("correct horse"))
    #expect(!PasswordHash(salt: [], hash: hash.hash, logN: 4).matches("correct horse"))
  }

  @Test func `a user has another record name in each place`() throws {
    let places = [ContainerPlace.notes, .notesDevelopment, .trips]
    let names = places.map { UserRecordName.make("user", in: $0, secret: [1, 2, 3]) }
    #expect(Set(names).count == 3)
    #expect(UserRecordName.make("user", in: .notes, secret: [1, 2, 4]) != names[0])
    let name = try #require(names[0])
    #expect(name.utf8.count == 33 && name.hasPrefix("_"))
    // HMAC-SHA256 by another implementation (Python's hmac), key 010203, the message with zero bytes.
    #expect(name == "_2b6a3abb5028d05806e40d6cc9904a99")
  }

  @Test func `what the system gives is never the same twice`() throws {
    let first = try RandomBytes.system.bytes(32)
    #expect(first.count == 32)
    #expect(try RandomBytes.system.bytes(32) != first)
  }

  @Test func `without random bytes nothing is made`() throws {
    let folder = try Folder()
    #expect { try folder.open(RandomBytes { _ in nil }) } throws: {
      ($0 as? AccountError)?.code == .noRandomness
    }
    #expect { try folder.open(RandomBytes { _ in [] }) } throws: {
      ($0 as? AccountError)?.code == .noRandomness
    }
  }
}
