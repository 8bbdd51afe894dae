import DataModel
import SchemaFormats
import SchemaLint
import Testing

@testable import RecordServer

@Suite struct `Importing into development` {
  @Test func `adds system fields and the type Users to what a file says`() throws {
    let container = try ContainerSchema.developing(
      "CREATE ROLE editor; RECORD TYPE T (\"___recordID\" REFERENCE QUERYABLE, a STRING);")
    let type = try #require(container.development.type("T"))
    #expect(type.fields.count == 7)
    #expect(type.field("___recordID")?.indexes == .queryable)
    #expect(container.development.type("Users") == RecordSchema.usersType)
    #expect(container.development.roles == ["editor"])
    #expect(container.production == .empty)
    #expect(container.version == 2)
    #expect(
      container.audit == [
        AuditEntry(
          number: 1, act: .imported, mark: .test, version: 2,
          changes: ["role editor: role added", "T: record type added"])
      ])
  }

  @Test func `removes what only development has, and reports it`() throws {
    let container = try ContainerSchema.developing(
      "RECORD TYPE Old (a STRING); RECORD TYPE T (a STRING QUERYABLE, b INT64, c STRING);")
    let plan = container.planImport("RECORD TYPE T (a STRING, b DOUBLE SORTABLE);")
    #expect(plan.refusals.isEmpty)
    #expect(
      plan.discarded == [
        .recordType("Old"), .field(type: "T", name: "b"), .field(type: "T", name: "c"),
      ])
    #expect(
      plan.changes.map(\.description) == [
        "Old: record type removed", "T.c: field removed", "T.a: queryable yes → no",
        "T.b: type INT64 → DOUBLE", "T.b: sortable no → yes",
      ])
    #expect(plan.indexes.dropped == [IndexKey(type: "T", field: "a", index: .queryable)])
    #expect(plan.indexes.created == [IndexKey(type: "T", field: "b", index: .sortable)])
    #expect(plan.indexes.filled.isEmpty)
  }

  @Test func `refuses the whole file where it would lose what production has`() throws {
    let container = try ContainerSchema.promoted(
      """
      RECORD TYPE Gone (a STRING);
      RECORD TYPE T (a STRING, b STRING, c STRING, d STRING, e NUMBER PREFERRED AS INT64,
        f_ckAsset ASSET, f STRING);
      """)
    let outcome = container.importing(
      Array(
        """
        DEFINE SCHEMA
        RECORD TYPE T (a INT64,
          b LIST<STRING>,
          c ENCRYPTED STRING,
          e NUMBER PREFERRED AS DOUBLE, f STRING);
        RECORD TYPE New (a STRING);
        """.utf8), file: "new.ckdb", by: .test)
    #expect(
      outcome.plan.reasons == [
        "new.ckdb:1:1: Gone was removed, but production keeps it for ever [type-removed]",
        "new.ckdb:2:13: T.d was removed, but production keeps the field for ever [field-removed]",
        "new.ckdb:2:18: T.a was STRING and is INT64 [type-changed]",
        "new.ckdb:3:5: T.b was a single value and is a list [list-changed]",
        "new.ckdb:4:5: T.c was plain and is encrypted [encryption-changed]",
        "new.ckdb:5:12: T.e preferred INT64 and prefers DOUBLE [preferred-number-changed]",
        "T.f_ckAsset was promoted as ASSET, and would be removed [promoted]",
      ])
    #expect(outcome.schema == container)
    #expect(!outcome.isChanged)
  }

  @Test func `refuses what no server takes, and tells every place`() throws {
    let plan = ContainerSchema().planImport(
      """

      RECORD TYPE T (a ENCRYPTED STRING QUERYABLE, b ASSET SORTABLE,
        "___etag" INT64, GRANT READ TO nobody);
      RECORD TYPE Users (roles STRING);
      """)
    #expect(
      plan.reasons == [
        "new.ckdb:2:18: T.a is ENCRYPTED and QUERYABLE [encrypted-and-indexed]",
        "new.ckdb:2:46: T.b is SORTABLE, which no ASSET can be [index-on-unindexable]",
        "new.ckdb:3:13: T.___etag is a system field of the type STRING [system-field-retyped]",
        "new.ckdb:3:20: T grants rights to nobody, a role that does not exist [unknown-role]",
        "new.ckdb:4:20: Users.roles was a list and is a single value [list-changed]",
        "new.ckdb:4:26: Users.roles was INT64 and is STRING [type-changed]",
      ])
  }

  @Test func `refuses a text that is not in the schema language`() {
    let plan = ContainerSchema().planImport("RECORD TYPE T (a TEXT);")
    #expect(
      plan.reasons == [
        "new.ckdb:1:32: expected the type of the field a, found the word TEXT [unreadable]"
      ])
    #expect(!plan.isEmpty)
  }

  @Test func `refuses more than a schema may hold`() {
    let fields = (0..<257).map { "f\($0) STRING" }.joined(separator: ", ")
    #expect(
      ContainerSchema().planImport("RECORD TYPE T (\(fields));").refusals.map(\.message) == [
        "T would have 257 fields, and 256 are allowed"
      ])
  }

  @Test func `refuses what could not be written out and read back`() {
    let types = (0..<60).map { number in
      let fields =
        (0..<120).map { "f\($0) STRING" } + [String(repeating: "x", count: 1_000) + " INT64"]
      return "RECORD TYPE T\(number) (\(fields.joined(separator: ", ")));"
    }
    #expect(
      ContainerSchema().planImport(types.joined()).refusals.map(\.code) == [.tooMany])
  }

  @Test func `of what was exported changes nothing, not even the version`() throws {
    let container = try ContainerSchema.developing(
      "CREATE ROLE r; RECORD TYPE T (\"odd name\" NUMBER, b LIST<ENCRYPTED BYTES>);")
    let text = try container.exported(.development)
    let outcome = container.importing(Array(text.utf8), file: "export.ckdb", by: .test)
    #expect(outcome.plan.isEmpty && !outcome.isChanged)
    #expect(outcome.schema == container)
  }

  @Test func `frees names that were never promoted, for another type`() throws {
    let container = try ContainerSchema.developing("RECORD TYPE T (a STRING, b STRING);")
      .importing("RECORD TYPE T (b STRING);")
    let addition = try #require(
      container.admit(record("T", "a", .typed(.int64)), to: .development).addition)
    #expect(addition.schema.development.type("T")?.field("a")?.type == .int64)
  }

  @Test func `may drop indexes, grants and roles that production keeps`() throws {
    let container = try ContainerSchema.promoted(
      """
      CREATE ROLE editor; RECORD TYPE T (a STRING QUERYABLE,
        GRANT WRITE TO editor, GRANT READ TO "_world");
      """)
    let next = try container.importing(
      "RECORD TYPE T (a STRING, GRANT READ TO \"_world\");")
    #expect(next.production == container.production)
    let plan = next.planPromotion()
    #expect(plan.isEmpty)
    #expect(
      plan.kept.map(\.description) == [
        "role editor: role added", "T.a: queryable no → yes", "T grant to editor: grant added",
      ])
  }
}

@Suite struct `Validating a file` {
  @Test func `says what an import would do, and does nothing`() throws {
    let container = try ContainerSchema.promoted("RECORD TYPE T (a STRING);")
    let good = "RECORD TYPE T (a STRING, b INT64 QUERYABLE);"
    let plan = container.planImport(good)
    let outcome = container.importing(
      Array("DEFINE SCHEMA \(good)".utf8), file: "new.ckdb", by: .test)
    #expect(plan.changes == outcome.plan.changes && !plan.changes.isEmpty)
    #expect(plan.candidate == outcome.schema.development)
    #expect(plan.version == container.version)
    #expect(container.planImport("RECORD TYPE U (a STRING);").refusals.count == 1)
  }
}

@Suite struct `Promoting` {
  private static let world = "GRANT READ TO \"_world\""

  @Test func `adds to production what development has, and writes who did it`() throws {
    let container = try ContainerSchema.developing(
      "RECORD TYPE T (a STRING QUERYABLE, \(Self.world));")
    let mark = AuditMark(by: "Anna", at: 42)
    let outcome = container.promoting(by: mark)
    #expect(outcome.isChanged)
    #expect(outcome.schema.production == container.development)
    #expect(outcome.schema.development == container.development)
    #expect(outcome.schema.version == container.version + 1)
    #expect(
      outcome.schema.audit.last
        == AuditEntry(
          number: 2, act: .promoted, mark: mark, version: 3, changes: ["T: record type added"]))
    #expect(outcome.plan.indexes.created.count == 1 && outcome.plan.indexes.filled.isEmpty)
    #expect(outcome.schema.differences(from: .production, to: .development).isEmpty)
  }

  @Test func `makes of the grants that Users has from the start no promise`() throws {
    let users = "RECORD TYPE Users (roles LIST<INT64>, GRANT READ, WRITE TO \"_creator\");"
    let first = try ContainerSchema.promoted(users)
    #expect(
      first.production.type("Users")?.grants == [.init(to: "_creator", [.read, .write])])
    let wider = try first.importing(
      "RECORD TYPE Users (roles LIST<INT64>, GRANT READ TO \"_world\");")
    #expect(
      try wider.promoting(by: .test).changed().production.type("Users")?.grants == [
        .init(to: "_creator", [.read, .write]), .init(to: "_world", .read),
      ])
  }

  @Test func `a second time changes nothing and adds no entry to the audit list`() throws {
    let once = try ContainerSchema.promoted("RECORD TYPE T (a STRING, \(Self.world));")
    let twice = once.promoting(by: AuditMark(by: "other", at: 43))
    #expect(twice.plan.isEmpty && !twice.isChanged)
    #expect(twice.schema == once)
  }

  @Test func `leaves indexes on fields with records to be filled`() throws {
    let container = try ContainerSchema.promoted("RECORD TYPE T (a STRING, \(Self.world));")
      .importing(
        """
        RECORD TYPE T ("___recordID" REFERENCE QUERYABLE, a STRING SORTABLE,
          b STRING QUERYABLE, \(Self.world));
        """)
    let plan = container.planPromotion()
    #expect(
      plan.indexes.filled == [
        IndexKey(type: "T", field: "___recordID", index: .queryable),
        IndexKey(type: "T", field: "a", index: .sortable),
      ])
    #expect(plan.indexes.created == [IndexKey(type: "T", field: "b", index: .queryable)])
    #expect(plan.indexes.dropped.isEmpty)
  }

  @Test func `merges indexes, grants and roles, and never removes any`() throws {
    let container = try ContainerSchema.promoted(
      """
      CREATE ROLE one; RECORD TYPE T (a STRING QUERYABLE,
        GRANT WRITE TO one, GRANT READ TO "_world");
      """
    ).importing(
      """
      CREATE ROLE two; RECORD TYPE T (a STRING SORTABLE,
        GRANT CREATE TO two, GRANT CREATE TO "_icloud");
      """)
    let production = try container.promoting(by: .test).changed().production
    #expect(production.roles == ["one", "two"])
    let type = try #require(production.type("T"))
    #expect(type.field("a")?.indexes == [.queryable, .sortable])
    #expect(
      type.grants == [
        .init(to: "_icloud", .create), .init(to: "_world", .read), .init(to: "one", .write),
        .init(to: "two", .create),
      ])
  }

  @Test func `is refused with the findings of the lint`() throws {
    let container = try ContainerSchema.developing(
      "RECORD TYPE T (a STRING, GRANT READ, WRITE TO \"_world\");")
    let outcome = container.promoting(by: .test)
    #expect(
      outcome.plan.reasons == [
        "development:1:1: T lets anyone write records, even without an account [write-to-world]"
      ])
    #expect(outcome.plan.findings.map(\.rule).contains("record-name-not-queryable"))
    #expect(outcome.schema == container)
  }

  @Test func `passes over a pitfall that somebody accepts, writes it down, and asks once`() throws {
    let container = try ContainerSchema.developing(
      "RECORD TYPE T (a STRING, GRANT READ, WRITE TO \"_world\");")
    let promoted = try container.promoting(accepting: ["write-to-world"], by: .test).changed()
    #expect(promoted.audit.last?.accepted == ["write-to-world"])
    let more = try #require(promoted.admit(record("T", "b", .text), to: .development).addition)
    #expect(more.schema.promoting(by: .test).isChanged)
  }

  @Test func `passes over no rule about what is promoted`() throws {
    let container = try ContainerSchema.developing("RECORD TYPE T (a STRING, \(Self.world));")
    let outcome = container.promoting(accepting: ["type-changed", "nonsense"], by: .test)
    #expect(
      outcome.plan.refusals.map(\.message) == [
        "the rule nonsense cannot be passed over", "the rule type-changed cannot be passed over",
      ])
    #expect(outcome.schema == container)
  }

  @Test func `is refused where development contradicts production, whatever made it so`() throws {
    var container = try ContainerSchema.promoted(
      "RECORD TYPE T (a STRING, b NUMBER PREFERRED AS INT64, \(Self.world));")
    var type = try #require(container.development.type("T"))
    type.fields = type.fields.filter { !["a", "b"].contains($0.name) }
    type.fields += [.init(name: "a", type: .int64), .init(name: "b", type: .number)]
    container.development.types = [type]
    let outcome = container.promoting(by: .test)
    #expect(
      outcome.plan.refusals.map(\.message) == [
        "T.b preferred INT64 and prefers none", "T.a was STRING and is INT64",
      ])
    #expect(outcome.schema == container)
    #expect(
      container.flaws.map(\.message) == [
        "T.a was promoted as STRING, and would be INT64",
        "T.b was promoted as NUMBER PREFERRED AS INT64, and would be NUMBER",
        "Users was promoted, and would be removed",
        "development lacks system fields or the type Users",
      ])
  }

  @Test func `is refused while a NUMBER has not settled on a kind`() throws {
    let container = try ContainerSchema.developing("RECORD TYPE T (x NUMBER, \(Self.world));")
    #expect(
      container.promoting(by: .test).plan.refusals.map(\.message) == [
        "T.x is NUMBER and has not settled on a kind"
      ])
    let settled = try #require(
      container.admit(record("T", "x", .fraction), to: .development).addition
    ).schema
    #expect(settled.promoting(by: .test).isChanged)
  }
}

@Suite struct `Resetting development` {
  @Test func `makes it what production is, and deletes its records`() throws {
    let promoted = try ContainerSchema.promoted("RECORD TYPE T (a STRING QUERYABLE);")
    let container = try promoted.importing(
      "RECORD TYPE T (a STRING SORTABLE, b INT64 QUERYABLE); RECORD TYPE U (c STRING);")
    let outcome = container.resetting(by: .test)
    #expect(outcome.schema.development == promoted.production)
    #expect(outcome.schema.production == promoted.production)
    #expect(outcome.plan.deletesAllRecords)
    #expect(outcome.plan.discarded == [.recordType("U"), .field(type: "T", name: "b")])
    #expect(outcome.plan.indexes.created == [IndexKey(type: "T", field: "a", index: .queryable)])
    #expect(
      outcome.plan.indexes.dropped == [
        IndexKey(type: "T", field: "a", index: .sortable),
        IndexKey(type: "T", field: "b", index: .queryable),
      ])
    #expect(outcome.schema.audit.last?.act == .reset)
  }

  @Test func `is a change even where the schemas are the same, as records are deleted`() throws {
    let container = try ContainerSchema.promoted("RECORD TYPE T (a STRING);")
    let outcome = container.resetting(by: .test)
    #expect(outcome.isChanged)
    #expect(outcome.schema.version == container.version + 1)
    #expect(outcome.schema.audit.count == container.audit.count + 1)
  }
}

@Suite struct `The audit list` {
  @Test func `keeps the newest entries, and their numbers`() {
    var container = ContainerSchema()
    for _ in 0..<1_003 { container = container.resetting(by: .test).schema }
    #expect(container.audit.map(\.number) == Array(4...1_003))
  }

  @Test func `lists no more changes than fit, and cuts a name that is too long`() throws {
    let types = (0..<250).map { "RECORD TYPE T\($0) (a STRING);" }.joined()
    let outcome = ContainerSchema().importing(
      Array("DEFINE SCHEMA \(types)".utf8), file: "many.ckdb",
      by: AuditMark(by: String(repeating: "é", count: 1_000), at: 0))
    let entry = try #require(outcome.schema.audit.last)
    #expect(entry.changes.count == 50)
    #expect(entry.changes.last == "and 201 more")
    #expect(entry.mark.name.utf8.count <= 255 && entry.mark.name.hasPrefix("éé"))
  }
}
