import RecordWire
import Testing

@testable import RecordServer

@Suite struct SealTests {
  let seal: Seal
  let text: String

  init() throws {
    seal = try AssetWorld.seal()
    text = seal.text(of: [1, 2, 3], for: .receipt, expires: 1000)
  }

  @Test func `what was sealed is read until it expires, for its purpose and with its key only`()
    throws
  {
    #expect(try seal.content(of: text, for: .receipt, now: 999) == [1, 2, 3])
    #expect(throws: SealFailure.expired) { try seal.content(of: text, for: .receipt, now: 1000) }
    #expect(throws: SealFailure.expired) { try seal.content(of: text, for: .receipt, now: .max) }
    for purpose in Seal.Purpose.allCases where purpose != .receipt {
      #expect(throws: SealFailure.foreign) { try seal.content(of: text, for: purpose, now: 0) }
    }
    var key = AssetWorld.key
    key[31] ^= 1
    let other = try AssetWorld.seal(key: key)
    #expect(throws: SealFailure.foreign) { try other.content(of: text, for: .receipt, now: 0) }
    #expect(Seal(key: Array(key.dropLast())) == nil)
  }

  @Test func `a text with any character changed, taken away or added is foreign`() {
    let bytes = Array(text.utf8)
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/%".utf8)
    for index in bytes.indices {
      for digit in digits where digit != bytes[index] {
        var changed = bytes
        changed[index] = digit
        expectForeign(changed)
      }
      var shorter = bytes
      shorter.remove(at: index)
      expectForeign(shorter)
      expectForeign(Array(bytes[..<index]))
    }
    expectForeign(bytes + [UInt8(ascii: "A")])
    expectForeign(Array(repeating: UInt8(ascii: "A"), count: AssetLimits.sealedTextBytesMax + 4))
  }

  private func expectForeign(_ bytes: [UInt8]) {
    let changed = String(decoding: bytes, as: UTF8.self)
    #expect(throws: SealFailure.foreign, "\(changed)") {
      try seal.content(of: changed, for: .receipt, now: 0)
    }
  }

  @Test
  func
    `tickets, receipts and downloads come back as they were, and their parts do not run together`()
    throws
  {
    let scope = AssetScope(
      container: "c", environment: .production, database: DatabaseKey.user("_ann"))
    let file = try AssetWorld.file("hello")
    for user in ["_ann", "", nil] {
      let ticket = AssetTicket(
        scope: scope, zone: "Notes", recordName: "é/1", recordType: "T", fieldName: "f", user: user)
      let opened = try AssetTicket(
        opening: ticket.sealed(seal, expires: 5), container: "c", environment: .production,
        seal: seal, now: 4)
      #expect(opened == ticket)
      let receipt = AssetReceipt(scope: scope, user: user, file: file)
      #expect(try AssetReceipt(opening: receipt.sealed(seal, expires: 5), seal, now: 4) == receipt)
    }
    var left = SealedWriter()
    left.append("ab")
    left.append("c")
    var right = SealedWriter()
    right.append("a")
    right.append("bc")
    #expect(left.bytes != right.bytes)
  }

  @Test func `the longest names fit into a sealed text`() throws {
    let name = String(repeating: "n", count: WireLimits.request.nameBytesMax)
    let scope = AssetScope(
      container: name, environment: .development, database: DatabaseKey.user(name))
    let ticket = AssetTicket(
      scope: scope, zone: name, recordName: name, recordType: name, fieldName: name, user: name)
    let sealed = ticket.sealed(seal, expires: 1)
    let opened = try AssetTicket(
      opening: sealed, container: name, environment: .development, seal: seal, now: 0)
    #expect(opened == ticket)
  }

  @Test func `an address opens nothing in another container or environment, nor too late`() throws {
    let scope = AssetScope(
      container: "c", environment: .development, database: DatabaseKey.everyone)
    let download = AssetDownload(scope: scope, file: try AssetWorld.file("x"))
    let sealed = download.sealed(seal, expires: 10)
    func open(
      _ container: String, _ environment: SchemaEnvironment, _ now: Int64
    ) throws -> AssetDownload {
      try AssetDownload(
        opening: sealed, container: container, environment: environment, seal: seal, now: now)
    }
    #expect(try open("c", .development, 9) == download)
    for (container, environment, now): (String, SchemaEnvironment, Int64) in [
      ("d", .development, 9), ("c", .production, 9), ("c", .development, 10),
    ] {
      let failure = #expect(throws: RequestFailure.self) {
        try open(container, environment, now)
      }
      #expect(failure?.code == .notFound)
    }
  }
}

@Suite struct AssetAddressTests {
  @Test func `an address is read from its digits and from its checksum, and from nothing else`()
    throws
  {
    let address = try AssetWorld.file("hello").address
    #expect(
      address.hexadecimal == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
    #expect(AssetAddress(hexadecimal: address.hexadecimal) == address)
    #expect(address.fileChecksum == "ASzyTbpfsKMOJug7KsW54p4bFh5cH6dCXnMEM2KTi5gk")
    #expect(AssetAddress(fileChecksum: address.fileChecksum) == address)
    for digits in [
      "", "2c", address.hexadecimal.uppercased(), address.hexadecimal + "00",
      String(address.hexadecimal.dropLast()) + "/", "../" + address.hexadecimal.dropFirst(3),
    ] {
      #expect(AssetAddress(hexadecimal: digits) == nil, "\(digits)")
    }
    for checksum in [
      "", "AQ==", "BSzyTbpfsKMOJug7KsW54p4bFh5cH6dCXnMEM2KTi5gk", address.fileChecksum + "AAAA",
      "ASzyTbpfsKMOJug7KsW54p4bFh5cH6dCXnMEM2KTi5g=",
    ] {
      #expect(AssetAddress(fileChecksum: checksum) == nil, "\(checksum)")
    }
  }

  @Test func `every digest has a checksum of standard base64`() throws {
    for byte in UInt8.min...UInt8.max {
      let address = try #require(
        AssetAddress(digest: [UInt8](repeating: byte, count: AssetAddress.byteCount)))
      #expect(Base64Text.bytes(address.fileChecksum) == [1] + address.digest)
    }
  }
}
