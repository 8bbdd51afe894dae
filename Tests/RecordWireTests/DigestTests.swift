import DataModel
import SchemaGenerator
import Testing

@testable import RecordWire

/// Digests of records: clients and servers have to make the same.
@Suite struct DigestTests {
  /// The number by which the author of the hash tells right implementations: a hash over the hashes
  /// of 256 keys, each with a seed of its own.
  @Test func `the hash is MurmurHash3 of 128 bits for 64-bit machines`() {
    func bytes(_ digest: Digest128) -> [UInt8] {
      [digest.low, digest.high].flatMap { half in
        (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(8 * $0)) }
      }
    }
    func hash(_ bytes: [UInt8], seed: UInt64) -> Digest128 {
      bytes.withUnsafeBytes { Murmur128.hash($0, from: Digest128(high: seed, low: seed)) }
    }
    let key = (0..<256).map { UInt8($0) }
    let hashes = (0..<256).flatMap { bytes(hash(Array(key[..<$0]), seed: UInt64(256 - $0))) }
    #expect(bytes(hash(hashes, seed: 0)).prefix(4) == [0x69, 0xba, 0x84, 0x63])
  }

  @Test func `a record's digest stays the same for ever`() throws {
    let fields: RecordFields = [
      "title": .string("Über"), "count": .int64(3), "tags": .list([.string("a")], of: .string),
    ]
    let digest = try RecordDigest.of(name: "A", type: "Note", fields: fields)
    #expect("\(digest.bucket) \(digest.value)" == "122 ac538040f18c8bbe97e5fccfa40216a1")
    let stored = try FieldBytes(fields)
    #expect(RecordDigest.of(name: "A", type: "Note", canonical: stored) == digest)
    #expect(try RecordDigest.of(name: "A", type: "Note", fields: stored) == digest)
  }

  @Test func `name, type, values, types and encryption count, each for itself`() throws {
    let variants: [(name: String, type: String, fields: RecordFields)] = [
      ("A", "Note", [:]), ("B", "Note", [:]), ("A", "Notes", [:]), ("AN", "ote", [:]),
      ("A", "Note", ["a": .int64(1)]), ("A", "Note", ["a": .double(1)]),
      ("A", "Note", ["b": .int64(1)]), ("A", "Note", ["a": .list([.int64(1)], of: .int64)]),
      ("A", "Note", RecordFields([("a", RecordField(.int64(1), isEncrypted: true))])),
    ]
    let digests = try variants.map {
      try RecordDigest.of(name: $0.name, type: $0.type, fields: $0.fields)
    }
    #expect(Set(digests.map(\.value)).count == variants.count)
    #expect(Set(digests.filter { $0.bucket == digests[0].bucket }).count == 7)
  }

  @Test func `of an asset only its file counts, and what is null does not`() throws {
    func digest(_ asset: RecordAsset, other: RecordValue? = nil) throws -> RecordDigest {
      var fields: RecordFields = ["one": .asset(asset), "all": .list([.asset(asset)], of: .asset)]
      if let other { fields["other"] = RecordField(other) }
      return try RecordDigest.of(name: "A", type: "Note", fields: fields)
    }
    let bare = try digest(RecordAsset(fileChecksum: "c", size: 5))
    let sent = RecordAsset(
      fileChecksum: "c", size: 5, receipt: "r", wrappingKey: "w", referenceChecksum: "q",
      downloadURL: "https://example.com/f")
    #expect(try digest(sent, other: .null) == bare)
    #expect(try digest(RecordAsset(fileChecksum: "d", size: 5)) != bare)
    #expect(try digest(RecordAsset(fileChecksum: "c", size: 6)) != bare)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `a sum is the same in any order, and what was added can be taken away`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let digests = try (0..<50).map {
      try RecordDigest.of(name: "r\($0 / 2)", type: "T", fields: random.fields(upTo: 4))
    }
    func sum(_ digests: [RecordDigest]) -> DigestSum {
      digests.reduce(into: DigestSum()) { $0.add($1) }
    }
    let whole = sum(digests)
    #expect(whole == sum(digests.reversed()) && whole.count == 50, "seed \(seed)")
    var rest = whole
    for digest in digests.prefix(20) { rest.remove(digest) }
    #expect(rest == sum(Array(digests.suffix(30))), "seed \(seed)")
    // Two that are equal do not cancel each other.
    #expect(sum([digests[0], digests[0]]) != DigestSum(), "seed \(seed)")
    rest += sum(Array(digests.prefix(20)))
    #expect(rest == whole, "seed \(seed)")
  }

  @Test func `a digest is spelled with 32 digits, and nothing else is one`() {
    let digest = Digest128(high: 0x0123_4567_89ab_cdef, low: 0xfe)
    #expect(digest.text == "0123456789abcdef00000000000000fe")
    #expect(Digest128(text: digest.text) == digest)
    #expect(Digest128(text: String(digest.text.dropLast())) == nil)
    #expect(Digest128(text: digest.text.uppercased()) == nil)
    #expect(Digest128(text: String(digest.text.dropLast()) + "g") == nil)
  }
}
