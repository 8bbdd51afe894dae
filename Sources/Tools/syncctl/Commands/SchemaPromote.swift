import CommandKit
import RecordWire

let schemaPromoteCommand = Command(
  "schema", "promote",
  summary: "Add to a container's production schema what development has beyond it.",
  discussion: """
    A promotion only adds, all of it or nothing, and cannot be taken back: what production has, it
    keeps for ever. It is held to the lint first. --accept passes over rules about pitfalls, and is
    kept in the audit list.
    """,
  options: Command.Option.server + [
    .flag("dry-run", "say what would be done, and change nothing"),
    .values("accept", "RULE", "rules about pitfalls to pass over, such as write-to-world"), .json,
  ],
  examples: [
    .init(
      "syncctl schema promote --server https://records.example.com --container notes --dry-run",
      "what would it add?"),
    .init(
      "syncctl schema promote --server https://records.example.com --container notes", "add it"),
  ],
  exits: [
    .init(.ok, "done, or there was nothing to do; with --dry-run: it could be done"),
    .init(.findings, "refused; nothing was changed"),
  ] + Command.ExitMeaning.server,
  run: { call in try promote(call, ManagementClient(call, command: "schema promote")) })

/// Promotes the schema of a container, as the call says.
func promote(_ call: Invocation, _ client: ManagementClient) throws -> ExitCode {
  let isDry = call.has("dry-run")
  let request = SchemaPromoteRequest(isDryRun: isDry, accept: call.values("accept"))
  let plan = try client.post(.promote, request, as: SchemaPlanResponse.self)
  return try PlanReport(call: call, verb: "promoted").write(plan, isAsked: isDry)
}
