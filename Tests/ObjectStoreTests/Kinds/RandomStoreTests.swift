import DataModel
import Foundation
import SQLiteDriver
import SchemaGenerator
import Testing

@testable import ObjectStore

/// Stores of schemas and rows that nobody thought of.
@Suite struct RandomStoreTests {
  @Test(arguments: [StoreKind.binary, .xml])
  func `a store of any schema and any rows is read as it was written`(kind: StoreKind) throws {
    var written = 0
    for seed in UInt64(1)...80 {
      var random = SeededGenerator(seed: seed)
      let schema = Schema.random(using: &random).withoutDerivations
      // Not every random schema can be kept at all.
      guard let store = try? Store(at: .memory, schema: schema) else { continue }
      try Self.fill(store, &random)
      let (image, _) = try store.read { try StoreImage.read($0, subject: "test") }
      do {
        let bytes = try store.read {
          try AtomicFile.bytes(of: $0, as: kind, subject: "test")
        }
        let connection = try Connection(.memory)
        try ImageLoading(connection: connection, subject: "file").load(
          kind == .xml
            ? XMLStoreReader.contents(of: bytes, subject: "file")
            : BinaryReader.contents(of: bytes, subject: "file"))
        let read = try StoreImage.read(connection, subject: "file").image
        let isEqual = read == image
        #expect(isEqual, "seed \(seed)")
        written += 1
      } catch let error as StoreError {
        // Names that XML has no characters for.
        #expect(
          kind == .xml && error.message.hasPrefix("cannot hold the name"), "seed \(seed): \(error)")
      }
    }
    #expect(written > 30, "\(written)")
  }

  /// A few rows for each table, with cells of any storage class that the column lets in.
  private static func fill(_ store: Store, _ random: inout SeededGenerator) throws {
    for root in store.layout.entities where root.root == root.index {
      for key in 1...3 {
        let member = store.layout.entities[random.pick(root.family, or: root.index)]
        var columns = ["_id", "_version"] + (root.sharesTable ? ["_entity"] : [])
        var values: [FieldValue] =
          [.integer(Int64(key)), .integer(1)]
          + (root.sharesTable ? [.integer(Int64(member.number))] : [])
        for index in member.columnSlots where !random.oneIn(3) {
          let slot = member.slots[index]
          columns.append(slot.column ?? "")
          values.append(
            slot.attribute == nil
              ? .integer(Int64(random.below(3)) + 1) : cell(&random))
        }
        try store.write { transaction in
          let statement = try transaction.connection.prepare(
            """
            INSERT INTO \(quoted(root.table)) (\(columns.map(quoted).joined(separator: ", "))) \
            VALUES (\(columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))
            """)
          for (index, value) in values.enumerated() {
            statement.bind(Int32(index + 1), value: value)
          }
          try statement.run()
          transaction.log.isEmpty ? try transaction.log.inserted(member.number, Int64(key)) : ()
        }
      }
      try store.write {
        try $0.connection.execute(
          "INSERT INTO contrail_key VALUES ('\(root.table.replacing("'", with: "''"))', 4)")
      }
    }
  }

  private static func cell(_ random: inout SeededGenerator) -> FieldValue {
    switch random.below(8) {
    case 0: .integer(Int64(bitPattern: random.next()))
    case 1: .integer(Int64(random.below(3)))
    case 2:
      {
        let number = Double(bitPattern: random.next())
        return .double(number.isNaN ? 0.1 : number)
      }()
    case 3: .data((0..<random.below(20)).map { _ in UInt8(random.below(256)) })
    case 4: .data(storedNaN)
    case 5:
      .string(
        String(
          String.UnicodeScalarView(
            (0..<random.below(12)).compactMap { _ in Unicode.Scalar(UInt32(random.below(70_000))) })
        ))
    case 6:
      .string(random.pick(["", " ", "\\", "\\u{0}", "\r\n", "]]>", "NaN", "1", "1.0"], or: ""))
    default: .double(Double(random.below(2_000_000_000)) / 8)
    }
  }
}

extension Schema {
  /// The schema with attributes that are set instead of derived: random expressions are none that can be
  /// computed.
  fileprivate var withoutDerivations: Schema {
    var copy = self
    func plain(_ attribute: Attribute) -> Attribute {
      var attribute = attribute
      attribute.derivation = nil
      return attribute
    }
    copy.entities = entities.map { entity in
      var entity = entity
      entity.attributes = entity.attributes.map(plain)
      return entity
    }
    copy.composites = composites.map {
      Composite(name: $0.name, attributes: $0.attributes.map(plain))
    }
    return copy
  }
}
