import DataModel
import RecordServer
import RecordWire
import Testing

/// The management API's verbs, from the bytes of a request to those of the answer.
@Suite struct ManagementRunTests {
  private func run(_ schema: ContainerSchema) -> ManagementRun {
    ManagementRun(container: "notes", schema: schema, mark: .test, uuid: "U")
  }

  private func plan(
    _ verb: ManagementVerb, _ request: some WireRequest, on schema: ContainerSchema
  ) throws -> (outcome: ManagementOutcome, answer: SchemaPlanResponse) {
    let outcome = try run(schema).run(verb, body: request.json())
    let json = try outcome.answer.json()
    return (outcome, try SchemaPlanResponse(json: json))
  }

  private func failure(
    _ verb: ManagementVerb, _ body: String = "", query: String? = nil,
    on schema: ContainerSchema = ContainerSchema()
  ) -> RequestFailure? {
    do throws(RequestFailure) {
      _ = try run(schema).run(verb, body: Array(body.utf8), query: query)
      return nil
    } catch {
      return error
    }
  }

  private let note = SchemaTextRequest(
    schema: "DEFINE SCHEMA RECORD TYPE Note (title STRING QUERYABLE);", file: "note.ckdb")

  @Test func `what is imported can be exported, compared, promoted and reset`() throws {
    let imported = try plan(.import, note, on: ContainerSchema())
    let development = try #require(imported.outcome.schema)
    #expect(imported.outcome.status == 200)
    #expect(imported.answer.isChanged)
    #expect(imported.answer.versionBefore == 1)
    #expect(imported.answer.version == 2)
    #expect(
      imported.answer.changes == [
        SchemaChangeLine(
          line: "Note: record type added", change: "added", part: "record type", element: "Note")
      ])
    let title = IndexKey(type: "Note", field: "title", index: .queryable)
    #expect(imported.outcome.indexes[.development]?.created.contains(title) == true)
    #expect(imported.outcome.indexes[.production] == nil)

    let exported = try run(development).run(.export, query: "a=b&environment=development")
    let export = try SchemaExportResponse(json: exported.answer.json())
    #expect(export.schema == (try development.exported(.development)))
    #expect(export.environment == .development && export.version == 2)
    #expect(exported.schema == nil)

    let compared = try run(development).run(.diff)
    let diff = try SchemaDiffResponse(json: compared.answer.json())
    #expect(diff.from == "production" && diff.to == "development")
    #expect(diff.changes == imported.answer.changes)

    let dry = try plan(.promote, SchemaPromoteRequest(isDryRun: true), on: development)
    #expect(dry.outcome.schema == nil && !dry.answer.isChanged)
    #expect(dry.answer.changes == imported.answer.changes)
    let promoted = try plan(.promote, SchemaPromoteRequest(), on: development)
    let production = try #require(promoted.outcome.schema)
    #expect(production.production == development.development)
    #expect(promoted.answer.environment == .production)
    #expect(promoted.outcome.indexes[.production]?.created.contains(title) == true)
    let again = try plan(.promote, SchemaPromoteRequest(), on: production)
    #expect(again.outcome.schema == nil && !again.answer.isChanged)
    #expect(again.outcome.status == 200)

    let reset = try plan(.reset, SchemaResetRequest(confirm: "notes"), on: development)
    #expect(reset.outcome.deletesDevelopmentRecords)
    #expect(reset.answer.discarded == ["Note"])
    #expect(reset.outcome.schema?.development == ContainerSchema().development)

    let audit = try run(production).run(.audit)
    #expect(
      try SchemaAuditResponse(json: audit.answer.json()).entries.map(\.act) == [
        "imported", "promoted",
      ])
  }

  @Test func `a refused import is a conflict with every reason, and stores nothing`() throws {
    let container = try ContainerSchema.promoted("RECORD TYPE Note (title STRING, body STRING);")
    let bad = SchemaTextRequest(
      schema: "DEFINE SCHEMA RECORD TYPE Note (title INT64);", file: "bad.ckdb")
    let refused = try plan(.import, bad, on: container)
    #expect(refused.outcome.schema == nil)
    #expect(refused.outcome.indexes.isEmpty)
    #expect(refused.outcome.status == 409)
    #expect(
      refused.answer.failure
        == RequestFailure(
          .conflict,
          reason: "the schema was not imported: bad.ckdb:1:27: Note.body was removed, but "
            + "production keeps the field for ever [field-removed], and 1 more", uuid: "U"))
    #expect(refused.answer.refusals.map(\.code) == ["field-removed", "type-changed"])
    #expect(refused.answer.findings.map(\.rule).contains("type-changed"))
    #expect(refused.answer.refusals.allSatisfy { !$0.fix.isEmpty })
    #expect(refused.answer.version == container.version && !refused.answer.isChanged)
    // Whoever knows nothing of plans reads an error of the protocol.
    let failure = try RequestFailure(json: refused.outcome.answer.json())
    #expect(failure == refused.answer.failure)
    // To ask is no act, and so no error.
    let validated = try plan(.validate, bad, on: container)
    #expect(validated.outcome.status == 200)
    #expect(validated.answer.failure == nil)
    #expect(validated.answer.refusals == refused.answer.refusals)
  }

  @Test func `a promotion passes over what it is told to, and nothing else`() throws {
    let container = try ContainerSchema.developing(
      "RECORD TYPE Note (title STRING, GRANT WRITE TO \"_world\");")
    let refused = try plan(.promote, SchemaPromoteRequest(), on: container)
    #expect(refused.outcome.status == 409)
    #expect(refused.answer.refusals.map(\.code) == ["write-to-world"])
    #expect(refused.answer.refusals.map(\.place) == [nil])
    #expect(
      refused.answer.failure?.reason
        == "the schema was not promoted: Note lets anyone write records, even without an account "
        + "[write-to-world]")
    let wrong = try plan(.promote, SchemaPromoteRequest(accept: ["type-changed"]), on: container)
    #expect(wrong.answer.refusals.map(\.code) == ["not-acceptable", "write-to-world"])
    let accepted = try plan(
      .promote, SchemaPromoteRequest(accept: ["write-to-world"]), on: container)
    #expect(accepted.outcome.status == 200)
    #expect(accepted.answer.accepted == ["write-to-world"])
    #expect(accepted.answer.findings.map(\.rule).contains("write-to-world"))
  }

  @Test func `a text is compared with either environment as it would be imported`() throws {
    let container = try ContainerSchema.developing("RECORD TYPE Note (title STRING QUERYABLE);")
    let request = SchemaDiffRequest(from: .development, schema: note.schema, file: note.file)
    let outcome = try run(container).run(.diff, body: request.json())
    let diff = try SchemaDiffResponse(json: outcome.answer.json())
    #expect(
      diff == SchemaDiffResponse(from: "development", to: "note.ckdb", version: 2, changes: []))
  }

  @Test func `a reset needs the container's name, and a dry run does not`() throws {
    let reason =
      "BadRequestException: a reset deletes every record of development; send the container's "
      + "name as 'confirm'"
    #expect(failure(.reset, "{}") == RequestFailure(.badRequest, reason: reason, uuid: "U"))
    #expect(failure(.reset, #"{"confirm":"Notes"}"#)?.reason == reason)
    let dry = try plan(.reset, SchemaResetRequest(isDryRun: true), on: ContainerSchema())
    #expect(dry.outcome.schema == nil && dry.answer.deletesAllRecords)
    #expect(!dry.outcome.deletesDevelopmentRecords)
  }

  @Test(arguments: [
    nil, "", "environment", "environment=", "environment=staging", "Environment=production",
    "environment=production&environment=x", "&&==&",
  ])
  func `an export names its environment`(query: String?) {
    #expect(failure(.export, query: query)?.code == .badRequest)
  }

  @Test(arguments: ManagementVerb.allCases)
  func `a body that is none of the verb's is a bad request`(verb: ManagementVerb) throws {
    let endpoint = try #require(ManagementEndpoint.at("schema/\(verb.rawValue)"))
    #expect(endpoint.verb == verb)
    guard endpoint.request != nil else { return }
    let failure = failure(verb, "[]")
    #expect(failure?.code == .badRequest && failure?.uuid == "U")
  }

  @Test func `a text that cannot be read is told with its place`() throws {
    let text = SchemaTextRequest(schema: "DEFINE SCHEMA RECORD TYPE T (a TEXT);", file: "t.ckdb")
    let imported = try plan(.import, text, on: ContainerSchema())
    #expect(imported.outcome.status == 409)
    #expect(imported.answer.refusals.map(\.place) == ["t.ckdb:1:32"])
    let request = SchemaDiffRequest(schema: text.schema, file: text.file)
    let reason = failure(.diff, String(decoding: try request.json(), as: UTF8.self))?.reason
    #expect(
      reason
        == "BadRequestException: t.ckdb:1:32: expected the type of the field a, found the word TEXT"
    )
  }

  @Test func `paths are those of the protocol, with the container's name encoded`() {
    #expect(
      ManagementEndpoint.rows.map { "\($0.method.rawValue) \($0.path(of: "i.C/ö"))" } == [
        "GET /management/1/i.C%2F%C3%B6/schema/export",
        "POST /management/1/i.C%2F%C3%B6/schema/validate",
        "POST /management/1/i.C%2F%C3%B6/schema/import",
        "POST /management/1/i.C%2F%C3%B6/schema/diff",
        "POST /management/1/i.C%2F%C3%B6/schema/promote",
        "POST /management/1/i.C%2F%C3%B6/schema/reset",
        "GET /management/1/i.C%2F%C3%B6/schema/audit",
      ])
    #expect(
      ManagementEndpoint.rows.filter(\.needsWriting).map(\.verb) == [.import, .promote, .reset])
    #expect(Set(ManagementEndpoint.rows.map(\.verb)) == Set(ManagementVerb.allCases))
  }
}
