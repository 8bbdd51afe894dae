import DataModel
import SchemaGenerator
import Testing

@testable import SchemaFormats

@Suite struct `Writing a ckdb file` {
  @Test func `gives the layout of the export: bytes order, one column, quotes where needed`() throws
  {
    let schema = RecordSchema(
      roles: ["pilot", "_strange"],
      types: [
        .init(name: "Users", fields: [.init(name: "roles", type: .int64, isList: true)]),
        .init(
          name: "CD_LogEntry",
          fields: RecordSchema.systemFields + [
            .init(name: "zulu", type: .number, preferredNumber: .double),
            .init(name: "sortable", type: .string, isList: true, isEncrypted: true),
            .init(
              name: "CD_remarks", type: .string, indexes: [.sortable, .searchable, .queryable]),
          ],
          grants: [
            .init(to: "pilot", [.write, .create, .read]), .init(to: "_world", .read),
            .init(to: "_creator", .write),
          ]),
      ])
    #expect(
      try CKDB.text(of: schema) == """
        DEFINE SCHEMA

            CREATE ROLE "_strange";
            CREATE ROLE pilot;

            RECORD TYPE CD_LogEntry (
                CD_remarks      STRING QUERYABLE SEARCHABLE SORTABLE,
                "___createTime" TIMESTAMP,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE,
                "sortable"      LIST<ENCRYPTED STRING>,
                zulu            NUMBER PREFERRED AS DOUBLE,
                GRANT WRITE TO "_creator",
                GRANT READ TO "_world",
                GRANT READ, CREATE, WRITE TO pilot
            );

            RECORD TYPE Users (
                roles LIST<INT64>
            );

        """)
  }

  @Test func `what was written reads back as the same schema`() throws {
    for seed in UInt64(1)...300 {
      let schema = RecordSchema.random(seed: seed)
      let text = try CKDB.text(of: schema)
      let document = try CKDB.read(Array(text.utf8), file: "", label: "")
      #expect(document.content == .records(schema), "seed \(seed)")
    }
  }

  @Test(arguments: [
    (
      RecordSchema(types: [.init(name: "A")]),
      "cannot write A as .ckdb: it has neither fields nor grants"
    ),
    (
      RecordSchema(roles: ["a\"b"]),
      "cannot write role a\"b as .ckdb: its name has a quotation mark"
    ),
    (
      RecordSchema(roles: [""]),
      "cannot write role  as .ckdb: its name is empty"
    ),
    (
      RecordSchema(types: [.init(name: "A\n", fields: RecordSchema.systemFields)]),
      "cannot write A\n as .ckdb: its name has a control character"
    ),
    (
      RecordSchema(
        types: [
          .init(name: "A", fields: RecordSchema.systemFields),
          .init(name: "A", fields: RecordSchema.systemFields),
        ]),
      "cannot write A as .ckdb: there is another of the same name"
    ),
    (
      RecordSchema(
        types: [.init(name: "A", fields: [.init(name: "b", type: .asset, isEncrypted: true)])]),
      "cannot write A.b as .ckdb: a field of type ASSET cannot be encrypted"
    ),
    (
      RecordSchema(
        types: [
          .init(name: "A", fields: [.init(name: "b", type: .int64, preferredNumber: .double)])
        ]),
      "cannot write A.b as .ckdb: a field of type INT64 cannot prefer to be DOUBLE"
    ),
    (
      RecordSchema(types: [.init(name: "A", grants: [.init(to: "_world", [])])]),
      "cannot write A grant to _world as .ckdb: it grants nothing"
    ),
  ])
  func `what the language has no words for is named`(schema: RecordSchema, message: String) {
    let error = #expect(throws: UnwritableSchema.self) { try CKDB.text(of: schema) }
    #expect(error?.description == message)
  }
}
