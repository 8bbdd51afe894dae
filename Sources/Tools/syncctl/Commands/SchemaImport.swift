import CommandKit
import RecordWire

let schemaImportCommand = Command(
  "schema", "import",
  summary: "Replace a container's development schema on a server by a file.",
  discussion: """
    What the file leaves out is removed from development, and its values with it; what production
    has can be neither removed nor changed, and the whole file is refused then. Entities become
    record types by --profile.
    """,
  arguments: [schemaToSend],
  options: Command.Option.server + [.mappingProfile, .json],
  examples: [
    .init(
      "syncctl schema import notes.ckdb --server http://localhost:8080 --container notes",
      "try a schema on this machine"),
    .init(
      "syncctl schema import Notes.xcdatamodeld --profile native --server https://records.example.com "
        + "--container notes", "the types that a model needs"),
  ],
  exits: [
    .init(.ok, "done, or there was nothing to do"),
    .init(.findings, "refused; nothing was changed"),
  ] + Command.ExitMeaning.server,
  run: { call in
    try send(call, .import, command: "schema import", isAsked: false)
  })

let schemaValidateCommand = Command(
  "schema", "validate",
  summary: "Ask a server whether a file could be imported, and what that would change.",
  discussion: "Nothing is changed. Entities become record types by --profile.",
  arguments: [schemaToSend],
  options: Command.Option.server + [.mappingProfile, .json],
  examples: [
    .init(
      "syncctl schema validate notes.ckdb --server https://records.example.com --container notes",
      "in a pull request")
  ],
  exits: [
    .init(.ok, "the file could be imported"),
    .init(.findings, "the server would refuse the file"),
  ] + Command.ExitMeaning.server,
  run: { call in
    try send(call, .validate, command: "schema validate", isAsked: true)
  })

private let schemaToSend = Command.Argument("SCHEMA", schemaKinds)

private func send(
  _ call: Invocation, _ verb: ManagementVerb, command: String, isAsked: Bool
) throws -> ExitCode {
  let schema = try SchemaText(call, at: call.arguments[0])
  let client = try ManagementClient(call, command: command)
  let request = SchemaTextRequest(schema: schema.text, file: schema.file)
  let plan = try client.post(verb, request, as: SchemaPlanResponse.self)
  return try PlanReport(call: call, verb: "imported").write(plan, isAsked: isAsked)
}
