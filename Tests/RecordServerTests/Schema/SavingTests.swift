import DataModel
import RecordServer
import Testing

@Suite struct `Saving in development` {
  @Test func `creates an unknown type with its fields, the system's fields and default grants`()
    throws
  {
    let container = ContainerSchema()
    let note = SavedShape(
      type: "Note",
      fields: [
        .init("title", WireValueType(.text)),
        .init("tags", WireValueType(.typed(.string), isList: true)),
        .init("seen", WireValueType(.typed(.timestamp))),
      ])
    let addition = try #require(container.admit(note, to: .development).addition)
    #expect(
      try addition.schema.exported(.development) == """
        DEFINE SCHEMA

            RECORD TYPE Note (
                "___createTime" TIMESTAMP,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE,
                seen            TIMESTAMP QUERYABLE SORTABLE,
                tags            LIST<STRING> QUERYABLE SEARCHABLE,
                title           STRING QUERYABLE SEARCHABLE SORTABLE,
                GRANT WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world"
            );

            RECORD TYPE Users (
                "___createTime" TIMESTAMP,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE,
                roles           LIST<INT64>,
                GRANT WRITE TO "_creator",
                GRANT READ TO "_world"
            );

        """)
    #expect(
      addition.changes.map(\.description) == [
        "Note: record type added", "Note.seen: field added", "Note.tags: field added",
        "Note.title: field added",
      ])
    #expect(addition.schema.version == container.version + 1)
    #expect(addition.schema.production == container.production)
    #expect(addition.schema.audit.isEmpty)
    #expect(addition.indexes.created.count == 7)
    #expect(addition.indexes.filled.isEmpty && addition.indexes.dropped.isEmpty)
    #expect(addition.schema.admit(note, to: .development) == .fits)
  }

  @Test func `adds unknown fields to a known type, and leaves the others as they are`() throws {
    let container = try ContainerSchema.developing(
      "RECORD TYPE Note (title STRING, GRANT READ TO \"_icloud\");")
    let addition = try #require(
      container.admit(record("Note", "count", .typed(.int64)), to: .development).addition)
    #expect(addition.changes == [SchemaChange(.field(type: "Note", name: "count"), .added)])
    let type = try #require(addition.schema.development.type("Note"))
    #expect(type.field("title") == .init(name: "title", type: .string))
    #expect(
      type.field("count")
        == .init(name: "count", type: .int64, indexes: [.queryable, .sortable]))
    #expect(type.grants == [.init(to: "_icloud", .read)])
  }

  struct Created: CustomTestStringConvertible {
    var element: WireValueType.Element
    var list = false
    var encrypted = false
    var line: String

    var testDescription: String { line }
  }

  @Test(arguments: [
    Created(element: .typed(.string), line: "STRING QUERYABLE SEARCHABLE SORTABLE"),
    Created(element: .typed(.int64), line: "INT64 QUERYABLE SORTABLE"),
    Created(element: .typed(.double), line: "DOUBLE QUERYABLE SORTABLE"),
    Created(element: .typed(.timestamp), line: "TIMESTAMP QUERYABLE SORTABLE"),
    Created(element: .typed(.bytes), line: "BYTES QUERYABLE SORTABLE"),
    Created(element: .typed(.reference), line: "REFERENCE"),
    Created(element: .typed(.location), line: "LOCATION"),
    Created(element: .typed(.asset), line: "ASSET"),
    Created(
      element: .typed(.string), list: true, line: "LIST<STRING> QUERYABLE SEARCHABLE"),
    Created(element: .typed(.int64), list: true, line: "LIST<INT64>"),
    Created(element: .typed(.string), encrypted: true, line: "ENCRYPTED STRING"),
    Created(element: .typed(.bytes), list: true, encrypted: true, line: "LIST<ENCRYPTED BYTES>"),
    Created(element: .text, line: "STRING QUERYABLE SEARCHABLE SORTABLE"),
    Created(element: .integer, line: "NUMBER PREFERRED AS INT64 QUERYABLE SORTABLE"),
    Created(element: .fraction, line: "NUMBER PREFERRED AS DOUBLE QUERYABLE SORTABLE"),
    Created(element: .integer, list: true, line: "LIST<NUMBER PREFERRED AS INT64>"),
    Created(element: .integer, encrypted: true, line: "ENCRYPTED INT64"),
    Created(element: .truth, line: "INT64 QUERYABLE SORTABLE"),
    Created(element: .reference, line: "REFERENCE"),
    Created(element: .location, line: "LOCATION"), Created(element: .asset, line: "ASSET"),
  ])
  func `gives a new field the type of its value and the default indexes`(row: Created) throws {
    let saved = record(
      "T", "x", row.element, list: row.list, encrypted: row.encrypted)
    let addition = try #require(ContainerSchema().admit(saved, to: .development).addition)
    let text = try addition.schema.exported(.development)
    #expect(text.contains("        x               \(row.line),\n"), "\(text)")
    #expect(addition.schema.admit(saved, to: .development) == .fits)
    #expect(addition.schema.flaws.isEmpty)
  }

  @Test func `of null, or of an empty list that tells no type, creates no field`() throws {
    let saved = SavedShape(
      type: "T",
      fields: [
        .init("a", WireValueType(.absent)), .init("b", WireValueType(.absent, isList: true)),
      ])
    let addition = try #require(ContainerSchema().admit(saved, to: .development).addition)
    #expect(addition.changes == [SchemaChange(.recordType("T"), .added)])
    #expect(addition.schema.admit(saved, to: .development) == .fits)
  }

  @Test func `settles a NUMBER on the kind of its first value, for ever`() throws {
    let container = try ContainerSchema.developing("RECORD TYPE T (x NUMBER);")
    let addition = try #require(
      container.admit(record("T", "x", .integer), to: .development).addition)
    #expect(
      addition.changes.map(\.description) == ["T.x: preferred number none → INT64"])
    #expect(addition.indexes.isEmpty)
    #expect(
      addition.schema.admit(record("T", "x", .fraction), to: .development).messages == [
        "invalid attempt to set value type DOUBLE for field 'x' for type 'T', defined to be: INT64"
      ])
    #expect(addition.schema.admit(record("T", "x", .typed(.int64)), to: .development) == .fits)
  }

  @Test func `holds a field that is named twice to what its first mention made`() {
    func messages(_ values: WireValueType.Element...) -> [String] {
      let saved = SavedShape(
        type: "T", fields: values.map { .init("x", WireValueType($0)) })
      return ContainerSchema().admit(saved, to: .development).messages
    }
    #expect(messages(.integer, .integer) == [])
    #expect(
      messages(.integer, .fraction) == [
        "invalid attempt to set value type DOUBLE for field 'x' for type 'T', defined to be: INT64"
      ])
  }

  @Test func `takes whole numbers for a NUMBER that has settled on DOUBLE`() throws {
    let container = try ContainerSchema.developing(
      "RECORD TYPE T (x NUMBER PREFERRED AS DOUBLE);")
    for element in [WireValueType.Element.integer, .fraction, .typed(.int64), .typed(.double)] {
      #expect(container.admit(record("T", "x", element), to: .development) == .fits)
    }
  }

  @Test func `refuses names that no field or type may have`() {
    let container = ContainerSchema()
    let long = String(repeating: "x", count: 256)
    for name in ["", "_x", "9x", "two words", "a.b", "é", "cloudkit.", "x\"", long] {
      let field = container.admit(record("T", name, .text), to: .development)
      let type = container.admit(record(name, "x", .text), to: .development)
      for case .refused(let refusals) in [field, type] {
        #expect(refusals.map(\.code) == [.badName], "\(name)")
        #expect(refusals.allSatisfy { $0.message.utf8.count < 400 })
      }
      #expect(!field.messages.isEmpty && !type.messages.isEmpty, "\(name)")
    }
    let share = record("cloudkit.share", "cloudkit.title", .text)
    #expect(container.admit(share, to: .development).addition != nil)
  }

  @Test func `refuses the 257th field, and creates none of the others`() throws {
    func fields(_ numbers: Range<Int>) -> [SavedShape.Field] {
      numbers.map { .init("f\($0)", WireValueType(.text)) }
    }
    let full = try #require(
      ContainerSchema().admit(SavedShape(type: "T", fields: fields(0..<256)), to: .development)
        .addition)
    let more = SavedShape(type: "T", fields: fields(255..<257))
    #expect(
      full.schema.admit(more, to: .development).messages == [
        "T would have 257 fields, and 256 are allowed"
      ])
    #expect(
      ContainerSchema().admit(SavedShape(type: "T", fields: fields(0..<257)), to: .development)
        .messages == ["T would have 257 fields, and 256 are allowed"])
  }

  @Test func `refuses the 1001st record type`() {
    var schema = RecordSchema.empty
    schema.types += (0..<999).map { .init(name: "T\($0)", fields: RecordSchema.systemFields) }
    let resolved = ResolvedSchema(schema, environment: .development, version: 1)
    #expect(
      resolved.check(record("U", "x", .text)).messages == [
        "schema would have 1001 record types, and 1000 are allowed"
      ])
  }
}

@Suite struct `Saving in either environment` {
  private static let types =
    "RECORD TYPE T (text STRING, count INT64, share DOUBLE, at TIMESTAMP, data BYTES, "
    + "tags LIST<STRING>, secret ENCRYPTED STRING, ref REFERENCE);"

  @Test(arguments: SchemaEnvironment.allCases)
  func `refuses a value of another type than its field's`(
    environment: SchemaEnvironment
  ) throws {
    let container = try ContainerSchema.promoted(Self.types)
    let saved = SavedShape(
      type: "T",
      fields: [
        .init("text", WireValueType(.integer)), .init("count", WireValueType(.fraction)),
        .init("share", WireValueType(.typed(.int64))), .init("at", WireValueType(.fraction)),
        .init("tags", WireValueType(.text)), .init("ref", WireValueType(.text)),
        .init("secret", WireValueType(.typed(.string))),
        .init("data", WireValueType(.typed(.bytes))),
      ])
    #expect(
      container.admit(saved, to: environment).messages
        == [
          ("INT64", "text", "STRING"), ("DOUBLE", "count", "INT64"), ("INT64", "share", "DOUBLE"),
          ("DOUBLE", "at", "TIMESTAMP"), ("STRING", "tags", "STRING_LIST"),
          ("STRING", "ref", "REFERENCE"), ("STRING", "secret", "ENCRYPTED_STRING"),
        ].map {
          "invalid attempt to set value type \($0.0) for field '\($0.1)' for type 'T', "
            + "defined to be: \($0.2)"
        })
  }

  @Test(arguments: SchemaEnvironment.allCases)
  func `reads a value without a tag as its field's type where it can`(
    environment: SchemaEnvironment
  ) throws {
    let container = try ContainerSchema.promoted(Self.types)
    let saved = SavedShape(
      type: "T",
      fields: [
        .init("text", WireValueType(.text)), .init("count", WireValueType(.truth)),
        .init("share", WireValueType(.integer)), .init("at", WireValueType(.integer)),
        .init("data", WireValueType(.text)), .init("tags", WireValueType(.absent, isList: true)),
        .init("ref", WireValueType(.absent)),
        .init("secret", WireValueType(.text, isEncrypted: true)),
      ])
    #expect(container.admit(saved, to: environment) == .fits)
  }

  @Test(arguments: SchemaEnvironment.allCases)
  func `refuses encrypted values for plain fields, and in the public database`(
    environment: SchemaEnvironment
  ) throws {
    let container = try ContainerSchema.promoted(Self.types)
    func messages(_ field: String, _ isPublic: Bool) -> [String] {
      container.admit(
        record("T", field, .typed(.string), encrypted: true, isPublic: isPublic), to: environment
      ).messages
    }
    #expect(
      messages("text", false) == [
        "Attempt to save encrypted data in non encrypted field type: field 'text' for type 'T'"
      ])
    #expect(
      messages("secret", true) == [
        "encrypted fields are not supported in the public database: field 'secret' for type 'T'"
      ])
    #expect(messages("secret", false) == [])
  }

  @Test func `encrypts no references and no files`() {
    for type in [RecordSchema.FieldType.reference, .asset] {
      let saved = record("T", "x", .typed(type), encrypted: true)
      #expect(
        ContainerSchema().admit(saved, to: .development).messages == [
          "Attempt to save encrypted data in non encrypted field type: field 'x' for type 'T'"
        ])
    }
  }

  @Test(arguments: SchemaEnvironment.allCases)
  func `sets no field that the server keeps`(environment: SchemaEnvironment) throws {
    let container = try ContainerSchema.promoted(Self.types)
    for name in ["___etag", "___made_up"] {
      #expect(
        container.admit(record("T", name, .text), to: environment).messages == [
          "Cannot set system field '\(name)' in record 'T'"
        ])
    }
  }
}

@Suite struct `Saving in production` {
  @Test func `creates nothing, in the protocol's words`() throws {
    let container = try ContainerSchema.promoted("RECORD TYPE T (a STRING);")
    let saved = SavedShape(
      type: "T",
      fields: [
        .init("a", WireValueType(.text)), .init("b", WireValueType(.text)),
        .init("c", WireValueType(.integer)), .init("d", WireValueType(.absent)),
      ])
    #expect(
      container.admit(saved, to: .production).messages
        == ["b", "c", "d"].map {
          "Cannot create or modify field '\($0)' in record 'T' in production schema"
        })
    #expect(
      container.admit(record("New", "a", .text), to: .production).messages == [
        "Cannot create new type New in production schema"
      ])
    let verdict = container.admit(record("T", "b", .text), to: .production)
    guard case .refused(let refusals) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(refusals.map(\.subject) == [.field(type: "T", name: "b")])
    #expect(refusals.map(\.code) == [.unknownField])
  }

  @Test func `meets what is promoted, not what development has meanwhile`() throws {
    let container = try ContainerSchema.promoted("RECORD TYPE T (a STRING);")
    let saved = record("T", "b", .text)
    let extended = try #require(container.admit(saved, to: .development).addition).schema
    #expect(extended.admit(saved, to: .development) == .fits)
    #expect(!extended.admit(saved, to: .production).messages.isEmpty)
    let promoted = try extended.promoting(by: .test).changed()
    #expect(promoted.admit(saved, to: .production) == .fits)
  }
}
