import DataModel
import Testing

@testable import SchemaFormats

@Suite struct `Reading a ckdb file` {
  @Test func `all that the grammar allows is read`() throws {
    let schema = try records(
      """
      // Written by hand.
      -- Before the first word, too.
      define /* here */ schema
      Create Role moderator;
      RECORD TYPE LogEntry (
        "duration" double sortable queryable, -- needless quotes, options turned round
        "grant" STRING SEARCHABLE QUERYABLE,
        tags LIST<STRING> QUERYABLE SEARCHABLE,
        secrets LIST<ENCRYPTED STRING>,
        pin ENCRYPTED INT64,
        count NUMBER,
        weight NUMBER PREFERRED AS DOUBLE,
        parts LIST<NUMBER PREFERRED AS INT64>,
        where_ LOCATION QUERYABLE SORTABLE, photo ASSET, pilot REFERENCE QUERYABLE,
        blob BYTES, at TIMESTAMP,
        "___recordID" REFERENCE QUERYABLE,
        GRANT READ, CREATE, WRITE TO moderator,
        read STRING,
        GRANT READ TO "_world"
      );
      RECORD TYPE "cloudkit.share" ("cloudkit.title" STRING);
      """)
    #expect(
      schema
        == RecordSchema(
          roles: ["moderator"],
          types: [
            .init(
              name: "LogEntry",
              fields: [
                .init(name: "duration", type: .double, indexes: [.queryable, .sortable]),
                .init(name: "grant", type: .string, indexes: [.queryable, .searchable]),
                .init(
                  name: "tags", type: .string, isList: true, indexes: [.queryable, .searchable]),
                .init(name: "secrets", type: .string, isList: true, isEncrypted: true),
                .init(name: "pin", type: .int64, isEncrypted: true),
                .init(name: "count", type: .number),
                .init(name: "weight", type: .number, preferredNumber: .double),
                .init(name: "parts", type: .number, isList: true, preferredNumber: .int64),
                .init(name: "where_", type: .location, indexes: [.queryable, .sortable]),
                .init(name: "photo", type: .asset),
                .init(name: "pilot", type: .reference, indexes: .queryable),
                .init(name: "blob", type: .bytes), .init(name: "at", type: .timestamp),
                .init(name: "___recordID", type: .reference, indexes: .queryable),
                .init(name: "read", type: .string),
              ],
              grants: [
                .init(to: "_world", .read), .init(to: "moderator", [.read, .create, .write]),
              ]),
            .init(name: "cloudkit.share", fields: [.init(name: "cloudkit.title", type: .string)]),
          ]))
  }

  @Test func `an index on an encrypted field is read, for the lint to report`() throws {
    let schema = try records("DEFINE SCHEMA RECORD TYPE A (b ENCRYPTED STRING QUERYABLE);")
    let field = schema.type("A")?.field("b")
    #expect(field?.isEncrypted == true && field?.indexes == .queryable)
  }

  @Test func `grants to one role add up`() throws {
    let schema = try records(
      """
      DEFINE SCHEMA RECORD TYPE A (
        GRANT READ TO "_icloud", GRANT WRITE, READ TO "_icloud", GRANT CREATE TO "_creator");
      """)
    #expect(
      schema.type("A")?.grants == [
        .init(to: "_creator", .create), .init(to: "_icloud", [.read, .write]),
      ])
  }

  @Test func `a schema may be empty, and its file may begin with a byte order mark`() throws {
    #expect(try records("\u{feff}DEFINE SCHEMA\r\n") == RecordSchema())
  }

  @Test func `every part and every word about it has its place`() throws {
    let document = try CKDB.read(
      Array(
        """
        DEFINE SCHEMA
          CREATE ROLE crew;
          RECORD TYPE "Höhe" (
            meters LIST<ENCRYPTED DOUBLE> SORTABLE QUERYABLE,
            GRANT READ, WRITE TO crew
          );
        """.utf8),
      file: "flight.ckdb", label: "flight")
    func place(_ element: SchemaElement, _ aspect: Aspect? = nil) -> String {
      document.location(of: element, aspect: aspect).description
    }
    let field = SchemaElement.field(type: "Höhe", name: "meters")
    let grant = SchemaElement.grant(type: "Höhe", role: "crew")
    #expect(place(.schema) == "flight.ckdb:1:1")
    #expect(place(.role("crew")) == "flight.ckdb:2:15")
    #expect(place(.recordType("Höhe")) == "flight.ckdb:3:15")
    #expect(place(field) == "flight.ckdb:4:5")
    #expect(place(field, .isList) == "flight.ckdb:4:12")
    #expect(place(field, .isEncrypted) == "flight.ckdb:4:17")
    #expect(place(field, .type) == "flight.ckdb:4:27")
    #expect(place(field, .sortable) == "flight.ckdb:4:35")
    #expect(place(field, .queryable) == "flight.ckdb:4:44")
    #expect(place(field, .searchable) == "flight.ckdb:4:5")
    #expect(place(grant) == "flight.ckdb:5:5")
    #expect(place(grant, .read) == "flight.ckdb:5:11")
    #expect(place(grant, .write) == "flight.ckdb:5:17")
  }

  private func records(_ text: String) throws -> RecordSchema {
    let document = try CKDB.read(Array(text.utf8), file: "test.ckdb", label: "test")
    guard case .records(let schema) = document.content else { return RecordSchema() }
    return schema
  }
}
