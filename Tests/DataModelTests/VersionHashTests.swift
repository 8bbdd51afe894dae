import Testing

@testable import DataModel

@Suite struct VersionHashTests {
  @Test func `SHA-256 gives the digests that its standard prints`() {
    #expect(
      SHA256.digest([]).hexadecimal
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      SHA256.digest("abc".utf8).hexadecimal
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA256.digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8).hexadecimal
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      SHA256.digest(repeatElement(UInt8(ascii: "a"), count: 1_000_000)).hexadecimal
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Core Data's rules (see `VersionHash`), aspect by aspect; the mutations are those of the diff.
  static let counted: Set<String> = [
    "parent", "abstract", "type", "optional", "transient", "hash modifier", "destination",
    "inverse", "cardinality", "ordered", "minimum count", "maximum count", "delete rule",
  ]

  @Test(arguments: AttributeMutation.all)
  func `only what changes an attribute's storage changes its entity's hash`(
    _ mutation: AttributeMutation
  ) {
    var attribute = Schema.Attribute(name: "duration", type: .double)
    let before = hash(of: attribute)
    mutation.apply(&attribute)
    #expect((hash(of: attribute) != before) == Self.counts(mutation.expected))
  }

  @Test(arguments: RelationshipMutation.all)
  func `only what changes a relationship's storage changes its entity's hash`(
    _ mutation: RelationshipMutation
  ) {
    var relationship = Schema.Relationship(name: "pilot", destination: "Pilot", inverse: "entries")
    let before = hash(of: relationship)
    mutation.apply(&relationship)
    #expect((hash(of: relationship) != before) == Self.counts(mutation.expected))
  }

  @Test(arguments: EntityMutation.all)
  func `only what changes an entity's shape changes its hash`(_ mutation: EntityMutation) {
    let changed = flightLog.changing(entity: "LogEntry", mutation.apply)
    let isDifferent = flightLog.entityHashes["LogEntry"] != changed.entityHashes["LogEntry"]
    #expect(isDifferent == Self.counts(mutation.expected))
    #expect((flightLog.versionHash != changed.versionHash) == isDifferent)
  }

  @Test func `a property that an ancestor gains changes the hashes of its descendants`() {
    let old = Schema(entities: [.init(name: "A"), .init(name: "B", parent: "A")])
    let new = old.changing(entity: "A") {
      $0.attributes = [.init(name: "x", type: .string, isOptional: true)]
    }
    #expect(old.entityHashes["B"] != new.entityHashes["B"])
  }

  @Test func `the members of a composite type count, even in a circle`() {
    func schema(_ member: Schema.AttributeType) -> Schema {
      Schema(
        entities: [
          .init(
            name: "A", attributes: [.init(name: "c", type: .composite, compositeName: "C")])
        ],
        composites: [
          .init(
            name: "C",
            attributes: [
              .init(name: "again", type: .composite, compositeName: "C"),
              .init(name: "x", type: member),
            ])
        ])
    }
    #expect(schema(.string).versionHash == schema(.string).versionHash)
    #expect(schema(.string).versionHash != schema(.double).versionHash)
  }

  @Test func `composite types that use one another many times over are hashed at once`() {
    func schema(_ lastMember: Schema.AttributeType, prefix: String = "C") -> Schema {
      let composites = (0..<30).map { number in
        Schema.Composite(
          name: "\(prefix)\(number)",
          attributes: (0..<30).map {
            .init(name: "m\($0)", type: .composite, compositeName: "\(prefix)\($0)")
          } + [.init(name: "x", type: number == 29 ? lastMember : .string)])
      }
      let attribute = Schema.Attribute(
        name: "c", type: .composite, compositeName: "\(prefix)0")
      return Schema(
        entities: [.init(name: "A", attributes: [attribute])], composites: composites)
    }
    #expect(schema(.string).versionHash == schema(.string).versionHash)
    #expect(schema(.string).versionHash != schema(.double).versionHash)
    #expect(schema(.string).versionHash == schema(.string, prefix: "D").versionHash)
  }

  /// A hash that stores and migration plans refer to must not move by accident.
  @Test func `the hash of a known schema never changes`() {
    #expect(
      flightLog.versionHash.description
        == "6accd66997250c56bd034e40f9d6f00d36f2274c4a383a9c764f4b6c4e634e55")
  }

  private func hash(of attribute: Schema.Attribute) -> VersionHash? {
    Schema(entities: [.init(name: "E", attributes: [attribute])]).entityHashes["E"]
  }

  private func hash(of relationship: Schema.Relationship) -> VersionHash? {
    Schema(entities: [.init(name: "E", relationships: [relationship])]).entityHashes["E"]
  }

  private static func counts(_ change: String) -> Bool {
    counted.contains { change.contains(": \($0) ") }
  }
}
