import DataModel
import FoundationEssentials
import SchemaGenerator
import Testing

@testable import SchemaFormats

@Suite struct `Contrail JSON gives back what was written` {
  @Test func `of any schema`() throws {
    for seed in UInt64(1)...300 {
      let schema = Schema.random(seed: seed)
      let text = try ContrailJSON.text(of: schema)
      let document = try ContrailJSON.read(Array(text.utf8), file: "", label: "")
      #expect(document.content == .objects(schema), "seed \(seed)")
      #expect(try ContrailJSON.text(of: document.content) == text, "seed \(seed)")
    }
  }

  @Test func `of any records`() throws {
    for seed in UInt64(1)...300 {
      let schema = RecordSchema.random(seed: seed)
      let text = try ContrailJSON.text(of: schema)
      let document = try ContrailJSON.read(Array(text.utf8), file: "", label: "")
      #expect(document.content == .records(schema), "seed \(seed)")
    }
  }

  @Test(arguments: MappingProfile.allCases)
  func `of the records that any schema maps to, in both formats`(profile: MappingProfile) throws {
    for seed in UInt64(1)...100 {
      let records = Schema.random(seed: seed).mapped(profile).schema
      let json = try ContrailJSON.text(of: records)
      let read = try ContrailJSON.read(Array(json.utf8), file: "", label: "").content
      #expect(read == .records(records), "seed \(seed)")
      let ckdb = try CKDB.text(of: records)
      #expect(
        try CKDB.read(Array(ckdb.utf8), file: "", label: "").content == read, "seed \(seed)")
    }
  }

  @Test func `of defaults, to the last bit`() throws {
    let extremes: [(Schema.AttributeType, FieldValue)] = [
      (.double, .double(.nan)), (.double, .double(.infinity)), (.double, .double(-.infinity)),
      (.double, .double(.leastNonzeroMagnitude)), (.integer64, .integer(.min)),
      (.integer64, .integer(.max)), (.date, .date(Date(timeIntervalSinceReferenceDate: 1 / 3))),
      (.date, .date(.distantPast)), (.date, .date(.distantFuture)),
      (.decimal, .decimal(Decimal.greatestFiniteMagnitude)),
      (.decimal, .decimal(Decimal.leastNonzeroMagnitude)), (.decimal, .decimal(.nan)),
      (.decimal, .string("1.5")), (.date, .string("2026-05-01T12:00:00Z")),
      (.integer16, .string("twelve")), (.uuid, .string("no identifier")),
      (.composite, .composite(["x": .double(1), "string": .string("s")])),
      (.composite, .string("no composite")), (.objectID, .string("x")), (.string, .null),
      (.undefined, .boolean(true)), (.string, .list([.null, .list([]), .composite([:])])),
    ]
    for (type, value) in extremes {
      let attribute = Schema.Attribute(name: "a", type: type, defaultValue: value)
      let schema = Schema(entities: [.init(name: "A", attributes: [attribute])])
      let text = try ContrailJSON.text(of: schema)
      let read = try ContrailJSON.read(Array(text.utf8), file: "", label: "").content
      #expect(read == .objects(schema), "\(text)")
    }
  }

  @Test func `with the bits of a double's zero`() throws {
    let schema = Schema(entities: [
      .init(
        name: "A", attributes: [.init(name: "a", type: .double, defaultValue: .double(-0.0))])
    ])
    let text = try ContrailJSON.text(of: schema)
    let document = try ContrailJSON.read(Array(text.utf8), file: "", label: "")
    guard case .objects(let read) = document.content,
      case .double(let zero)? = read.entity("A")?.attribute("a")?.defaultValue
    else { return #expect(Bool(false), "\(text)") }
    #expect(zero.sign == .minus)
  }
}
