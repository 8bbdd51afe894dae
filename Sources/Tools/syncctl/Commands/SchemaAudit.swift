import CommandKit
import FoundationEssentials
import RecordWire

let schemaAuditCommand = Command(
  "schema", "audit",
  summary: "List who imported, promoted and reset a container's schema, and when.",
  options: Command.Option.server + [.json],
  examples: [
    .init(
      "syncctl schema audit --server https://records.example.com --container notes",
      "who changed what?")
  ],
  exits: [.done] + Command.ExitMeaning.server,
  run: { call in
    let client = try ManagementClient(call, command: "schema audit")
    let answer = try client.get(.audit, as: SchemaAuditResponse.self)
    if call.has("json") {
      try call.console.write(message: answer)
    } else {
      call.console.writeText(answer.entries.map(\.text).joined())
      if answer.entries.isEmpty { call.console.writeText("nobody has changed the schema yet\n") }
    }
    return .ok
  })

extension SchemaAuditLine {
  fileprivate var text: String {
    let date = Date(timeIntervalSince1970: Double(timestamp) / 1_000)
    let head = "\(number)  \(date.formatted(.iso8601))  \(act) by \(name); version \(version)\n"
    let passed = accepted.isEmpty ? "" : "     passed over \(accepted.joined(separator: ", "))\n"
    return head + changes.map { "     \($0)\n" }.joined() + passed
  }
}
