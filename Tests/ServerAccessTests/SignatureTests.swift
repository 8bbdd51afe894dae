import Testing

@testable import ServerAccess

@Suite struct `Signatures of requests` {
  private let key: PublicKey

  init() throws {
    let stored = try PublicKey.stored(pem: SignedByOpenSSL.publicKey, name: "test")
    key = try #require(PublicKey(stored: stored))
  }

  @Test func `what the openssl command signed is accepted`() {
    #expect(SignedByOpenSSL.request().isSigned(by: key))
  }

  @Test func `the text is date, digest of the body, and target with its query or without`() {
    #expect(
      SignedByOpenSSL.request().signedTexts == [
        """
        2026-11-22T01:30:00Z:G4tMC29q0dMlZZUnILwATusfGI9iBF5NVSWuKvjHhDI=:\
        /database/1/org.example.notes/development/public/records/query?ckjsVersion=2.6.4
        """,
        """
        2026-11-22T01:30:00Z:G4tMC29q0dMlZZUnILwATusfGI9iBF5NVSWuKvjHhDI=:\
        /database/1/org.example.notes/development/public/records/query
        """,
      ])
    #expect(
      SignedByOpenSSL.request(body: [], target: "/device/1/a").signedTexts == [
        "2026-11-22T01:30:00Z:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:/device/1/a",
        "2026-11-22T01:30:00Z::/device/1/a",
      ])
  }

  @Test func `an empty body may have been signed as an empty text, whatever the query`() {
    for query in ["", "?ckjsVersion=2.6.4", "?"] {
      let request = SignedByOpenSSL.request(
        signature: SignedByOpenSSL.emptySignature, body: [],
        target: SignedByOpenSSL.emptyTarget + query)
      #expect(request.isSigned(by: key), "\(query)")
    }
    let full = SignedByOpenSSL.request(
      signature: SignedByOpenSSL.emptySignature, body: [0x20], target: SignedByOpenSSL.emptyTarget)
    #expect(!full.isSigned(by: key))
  }

  @Test func `no byte of date, body, target and signature can be changed`() {
    for bit in [UInt8(1), 0x20, 0x40] {
      for changed in Self.changes(SignedByOpenSSL.body, bit) {
        #expect(!SignedByOpenSSL.request(body: changed).isSigned(by: key))
      }
      for changed in Self.changes(Array(SignedByOpenSSL.date.utf8), bit) {
        #expect(!SignedByOpenSSL.request(date: Self.text(changed)).isSigned(by: key))
      }
      for changed in Self.changes(Array(SignedByOpenSSL.target.utf8), bit) {
        #expect(!SignedByOpenSSL.request(target: Self.text(changed)).isSigned(by: key))
      }
      for changed in Self.changes(Array(SignedByOpenSSL.signature.utf8), bit) {
        #expect(!SignedByOpenSSL.request(signature: Self.text(changed)).isSigned(by: key))
      }
    }
  }

  @Test(arguments: [
    "", "=", "MEUC", String(repeating: "A", count: 96), String(repeating: "A", count: 1_000_000),
    SignedByOpenSSL.signature + "=", SignedByOpenSSL.signature + "\n",
    " " + SignedByOpenSSL.signature,
  ])
  func `what is no signature is refused`(signature: String) {
    #expect(!SignedByOpenSSL.request(signature: signature).isSigned(by: key))
  }

  @Test func `a request is good for ten minutes before and after its date`() {
    let limit = AccessLimits.signatureAgeMax
    let request = SignedByOpenSSL.request()
    for age in [0, limit, -limit] { #expect(request.isFresh(now: now + age), "\(age)") }
    for time in [now + limit + 1, now - limit - 1, 0, .max, .min] {
      #expect(!request.isFresh(now: time), "\(time)")
    }
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", Int64(0)),
    ("2026-11-22T01:30:00Z", now),
    ("2000-02-29T23:59:59Z", 951_868_799_000),
    ("1969-12-31T23:59:59Z", -1000),
    ("0000-03-01T00:00:00Z", -62_162_035_200_000),
    ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59Z", 253_402_300_799_000),
  ])
  func `a date is read`(text: String, time: Int64) {
    #expect(RequestDate.milliseconds(text) == time)
  }

  @Test(arguments: [
    "", "2026-11-22", "2026-11-22T01:30:00", "2026-11-22T01:30:00.000Z", "2026-11-22T01:30:00z",
    "2026-11-22 01:30:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "+026-01-01T00:00:00Z", "2026-01-01T00:00:00+0",
    "２026-01-01T00:00:00Z", "2026-01-01T00:00:00Z ",
  ])
  func `a date in another form is none`(text: String) {
    #expect(RequestDate.milliseconds(text) == nil)
  }

  @Test(arguments: SignedByOpenSSL.unsuitableKeys.keys.sorted())
  func `only the public half of a P-256 key is registered`(message: String) {
    let error = #expect(throws: AccountError.self) {
      try PublicKey.stored(pem: SignedByOpenSSL.unsuitableKeys[message] ?? "", name: "test")
    }
    #expect(error?.code == .invalidKey && error?.message == message)
  }

  @Test func `keys of other kinds, and damaged ones, are no keys`() throws {
    #expect(throws: AccountError.self) {
      try PublicKey.stored(pem: SignedByOpenSSL.ed25519, name: "test")
    }
    let stored = try PublicKey.stored(pem: SignedByOpenSSL.publicKey, name: "test")
    #expect(PublicKey(stored: []) == nil)
    #expect(PublicKey(stored: Array(stored.dropLast())) == nil)
  }

  private static func changes(_ bytes: [UInt8], _ bit: UInt8) -> [[UInt8]] {
    bytes.indices.map { place in
      var changed = bytes
      changed[place] ^= bit
      return changed
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
