import CommandKit
import RecordWire

let schemaResetCommand = Command(
  "schema", "reset",
  summary: "Make a container's development what production is, and delete its records.",
  discussion: """
    Every record of development is deleted, of all users. Production is not touched. At a terminal
    the container's name is asked for; elsewhere --yes is needed.
    """,
  options: Command.Option.server + [
    .flag("yes", "do it without asking"),
    .flag("dry-run", "say what would be done, and change nothing"), .json,
  ],
  examples: [
    .init(
      "syncctl schema reset --server http://localhost:8080 --container notes --dry-run",
      "what would be lost?"),
    .init("syncctl schema reset --server http://localhost:8080 --container notes", "begin anew"),
  ],
  exits: [
    .init(.ok, "done; with --dry-run: nothing was changed"),
    .init(.findings, "refused, or the name was another one; nothing was changed"),
  ] + Command.ExitMeaning.server,
  run: { call in
    let client = try ManagementClient(call, command: "schema reset")
    let report = PlanReport(call: call, verb: "reset")
    let isDry = call.has("dry-run")
    if isDry || !call.has("yes") {
      let question = SchemaResetRequest(isDryRun: true)
      let plan = try client.post(.reset, question, as: SchemaPlanResponse.self)
      if isDry { return try report.write(plan, isAsked: true) }
      guard try isConfirmed(call, client.container, plan) else {
        call.console.writeError("that is not the container's name; nothing was changed\n")
        return .findings
      }
    }
    let request = SchemaResetRequest(confirm: client.container)
    let plan = try client.post(.reset, request, as: SchemaPlanResponse.self)
    return try report.write(plan, isAsked: false)
  })

/// Shows what would be lost, and lets somebody at a terminal type the container's name.
private func isConfirmed(
  _ call: Invocation, _ container: String, _ plan: SchemaPlanResponse
) throws -> Bool {
  let question =
    PlanListing(plan: plan).text + "type the container's name to go on (\(container)): "
  guard let answer = call.console.ask(question) else {
    throw UsageError(
      "schema reset deletes every record of development, and nobody is here to be asked",
      fix: "add --yes; --dry-run says what would be lost")
  }
  return answer.utf8.elementsEqual(container.utf8)
}
