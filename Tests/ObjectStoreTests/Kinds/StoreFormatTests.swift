import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

/// The bytes of binary and XML stores.
@Suite struct StoreFormatTests {
  private func image() throws -> (StoreImage, StoreLayout) {
    let store = try Store(at: .memory, schema: KindSamples.schema)
    try KindSamples.fill(store)
    return try store.read { try StoreImage.read($0, subject: "test") }
  }

  private func load(_ kind: StoreKind, _ bytes: [UInt8]) throws -> StoreImage {
    let connection = try Connection(.memory)
    try ImageLoading(connection: connection, subject: "file").load(
      kind == .xml
        ? XMLStoreReader.contents(of: bytes, subject: "file")
        : BinaryReader.contents(of: bytes, subject: "file"))
    return try StoreImage.read(connection, subject: "file").image
  }

  private func bytes(_ kind: StoreKind) throws -> [UInt8] {
    let (image, layout) = try image()
    return kind == .xml
      ? try XMLStoreWriter.bytes(of: image, layout, subject: "file")
      : try BinaryWriter.bytes(of: image, subject: "file")
  }

  @Test func `an XML store is text that people can read`() throws {
    let text = String(decoding: try bytes(.xml), as: UTF8.self)
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    for line in [
      #"<object entity="Glider" id="1" version="1">"#,
      #"<value name="name" type="string">ASK 21</value>"#,
      #"<value name="span" type="double">17.0</value>"#,
      #"<value name="double" type="double">NaN</value>"#,
      #"<value name="double" type="double">inf</value>"#,
      #"<value name="date" type="date">2024-04-27T12:00:00.10000002384185791Z</value>"#,
      #"<value name="date" type="date">-1e-20</value>"#,
      #"<value name="flag" type="boolean">true</value>"#,
      #"<value name="text" type="string"></value>"#,
      #"<value name="uuid" type="uuid">00112233-4455-6677-8899-AABBCCDDEEFF</value>"#,
      #"<value name="link" type="uri">https://example.org/?a=1&amp;b=&lt;2&gt;</value>"#,
      #"<value name="exact" type="decimal">-12345678901234567890.123456789</value>"#,
      #"<value name="bytes" type="binaryData"></value>"#,
      #"<value name="transformed" type="transformable">AP+A</value>"#,
      #"<reference name="craft" entity="Craft" id="1"/>"#,
      #"<pair source="2" target="1" source-order="3072"/>"#,
      #"<change number="16" kind="2" entity="5" key="1" count="1" properties="Ghc="/>"#,
      #"<key table_name="Trip" next="39"/>"#,
    ] {
      #expect(lines.contains { $0.hasPrefix(line) }, "\(line)")
    }
    #expect(text.contains(#"type="string" escaped="true">a\u{0}b\\u{0}\u{1}\u{fffe}\u{ffff}"#))
    #expect(
      text.hasPrefix(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <contrail-store format="1" tables="1">
          <table name="contrail_store">

        """))
  }

  @Test(arguments: [StoreKind.binary, .xml])
  func `what is written is read as the same, and written as the same bytes`(
    kind: StoreKind
  ) throws {
    let bytes = try bytes(kind)
    let (image, layout) = try image()
    // Identities differ between two stores.
    func rest(_ image: StoreImage) -> [StoreImage.Table] {
      image.ownTables.dropFirst().filter { $0.name != "contrail_transaction" }
        + image.objectTables
    }
    let read = try load(kind, bytes)
    #expect(rest(read) == rest(image))
    let again =
      kind == .xml
      ? try XMLStoreWriter.bytes(of: read, layout, subject: "file")
      : try BinaryWriter.bytes(of: read, subject: "file")
    #expect(again == bytes)
  }

  @Test(arguments: [StoreKind.binary, .xml])
  func `tables that another part of the store has added are kept`(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let location = Store.Location(kind, path: folder.file("store"))
    func open() throws -> Store { try Store(at: location, schema: KindSamples.schema) }
    try open().write { transaction in
      try transaction.connection.execute(
        """
        CREATE TABLE contrail_added (a INTEGER NOT NULL, b TEXT, c BLOB, d REAL, e, \
        PRIMARY KEY (b, a)) WITHOUT ROWID;
        INSERT INTO contrail_added VALUES (1, 'x', x'00ff', 1.5, 'e'), (2, 'y', NULL, 'odd', 3)
        """)
    }
    let rows = try open().read { connection in
      let statement = try connection.prepare("SELECT * FROM contrail_added ORDER BY a")
      var rows: [[FieldValue]] = []
      while try statement.step() { rows.append((0..<5).map { statement.value($0) }) }
      return rows
    }
    #expect(
      rows == [
        [.integer(1), .string("x"), .data([0, 255]), .double(1.5), .string("e")],
        [.integer(2), .string("y"), .null, .string("odd"), .integer(3)],
      ])
    let sql = try open().read { connection in
      let statement = try connection.prepare(
        "SELECT wr FROM pragma_table_list WHERE name = 'contrail_added'")
      return try statement.step() && statement.integer(0) == 1
    }
    #expect(sql)
  }

  @Test func `every beginning of a binary store is refused as cut short`() throws {
    let bytes = try bytes(.binary)
    for count in stride(from: 0, to: bytes.count, by: 31) {
      #expect(storeErrorCode { _ = try load(.binary, Array(bytes.prefix(count))) } == .corrupt)
    }
    #expect(storeErrorCode { _ = try load(.binary, bytes + [0]) } == .corrupt)
  }

  @Test func `every changed byte of a binary store is noticed`() throws {
    let bytes = try bytes(.binary)
    for index in stride(from: 0, to: bytes.count, by: 29) {
      var changed = bytes
      changed[index] ^= 1 << UInt8(index % 8)
      let code = storeErrorCode { _ = try load(.binary, changed) }
      #expect([.corrupt, .notAStore, .newerFormat].contains(code), "byte \(index)")
    }
  }

  @Test(arguments: [StoreKind.binary, .xml])
  func `no file makes the reader trap, and what it accepts it can write`(
    kind: StoreKind
  ) throws {
    let seed: UInt64 = 7
    var random = SplitMix(state: seed)
    let bytes = try bytes(kind)
    var accepted = 0
    for round in 0..<300 {
      let hostile =
        kind == .xml ? Self.mutated(bytes, &random) : Self.mutatedSections(bytes, &random)
      do {
        let image = try load(kind, hostile)
        accepted += 1
        let connection = try Connection(.memory)
        try ImageLoading(connection: connection, subject: "file").load(
          BinaryReader.contents(
            of: BinaryWriter.bytes(of: image, subject: "file"), subject: "file"))
      } catch {
        #expect(error is StoreError, "round \(round) of seed \(seed): \(error)")
      }
    }
    // Some changes are only other values.
    #expect(accepted > 0)
  }

  /// A few bytes changed, taken out, doubled or put elsewhere.
  private static func mutated(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = Int.random(in: 0..<result.count, using: &random)
      let end = min(result.count, index + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: result[index] = UInt8.random(in: 0...255, using: &random)
      case 1: result.removeSubrange(index..<end)
      case 2: result.insert(contentsOf: result[index..<end], at: index)
      case 3: result[index] = UInt8.random(in: 0x30...0x39, using: &random)
      default:
        let other = Int.random(in: 0..<result.count, using: &random)
        result.swapAt(index, other)
      }
    }
    return result
  }

  /// The same within the sections, with checksums that are right.
  private static func mutatedSections(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var sections: [[UInt8]] = []
    var offset = BinaryFormat.headerBytes
    while offset < bytes.count {
      let count = (0..<8).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
      offset += BinaryFormat.sectionHeadBytes
      sections.append(Array(bytes[offset..<offset + count]))
      offset += count
    }
    let chosen = Int.random(in: 0..<sections.count, using: &random)
    sections[chosen] = mutated(sections[chosen], &random)
    var result = Array(bytes.prefix(BinaryFormat.headerBytes))
    for section in sections {
      withUnsafeBytes(of: UInt64(section.count).littleEndian) { result += $0 }
      withUnsafeBytes(of: CRC32.checksum(section).littleEndian) { result += $0 }
      result += section
    }
    return result
  }

  @Test(arguments: [
    ("<object entity=\"Glider\" id=\"1\"", "<object entity=\"Boat\" id=\"1\"", "no entity Boat"),
    ("name=\"span\" type", "name=\"wings\" type", "stores no property wings"),
    (">17.0<", ">17.00<", "a value of the type double"),
    ("<pairs table=\"Trip_near\">", "<pairs table=\"Trip\">", "no table of pairs \"Trip\""),
    ("</objects>", "</objects><!-- --><other/>", "expected <pairs>, found <other>"),
    ("version=\"2\"", "version=\"x\"", "expected a whole number"),
    (" version=\"2\"", "", "lacks its attribute version"),
    (" next=\"39\"", " next=\"3\"", "would give the keys of objects in Trip again"),
    (" next=\"39\"", " next=\"9223372036854775807\"", "contrail_key.next that no store has"),
    ("type=\"boolean\"", "type=\"date\"", "can have the type date"),
  ])
  func `a mistake in an XML store is told with its place`(
    old: String, new: String, message: String
  ) throws {
    let text = String(decoding: try bytes(.xml), as: UTF8.self)
    let place = try #require(text.range(of: old))
    let changed = text.replacingCharacters(in: place, with: new)
    let error = #expect(throws: StoreError.self) { _ = try load(.xml, Array(changed.utf8)) }
    #expect(error?.code == .corrupt)
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    if !message.contains("next") && !message.contains("again") {
      #expect(error?.subject.contains(#/^file:\d+:\d+$/#) == true, "\(error?.subject ?? "")")
    }
  }

  @Test func `a name that XML has no characters for is refused before anything is written`()
    throws
  {
    let folder = try TemporaryFolder()
    let schema = Schema(
      name: "Odd",
      entities: [
        Schema.Entity(
          name: "Entry",
          attributes: [Schema.Attribute(name: "a\u{1}b", type: .string, isOptional: true)])
      ])
    let location = Store.Location.xml(folder.file("store"))
    let store = try Store(at: location, schema: schema)
    let context = ModelContext(store)
    try context.insert("Entry").setValue("a\u{1}b", .string("x"))
    #expect(storeErrorCode { try context.save() } == .writeFailed)
    #expect(try Store.facts(at: folder.file("store")).schema == schema)
  }

  @Test func `the checksum is that of zlib`() {
    #expect(CRC32.checksum(Array("123456789".utf8)) == 0xcbf4_3926)
  }
}
