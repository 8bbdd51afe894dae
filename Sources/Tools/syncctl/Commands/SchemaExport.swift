import CommandKit
import RecordWire

let schemaExportCommand = Command(
  "schema", "export",
  summary: "Fetch a container's schema from a server, as a .ckdb file.",
  discussion: """
    The text is that of CloudKit's own export; system fields are part of it. It goes to standard
    output, or to --output-file.
    """,
  options: Command.Option.server + [
    .environment("development unless given"),
    .value("output-file", "FILE", "write the text to this file"), .json,
  ],
  examples: [
    .init(
      "syncctl schema export --server https://records.example.com --container notes "
        + "--environment production > prod.ckdb", "what apps rely on"),
    .init(
      "syncctl schema export --server http://localhost:8080 --container notes "
        + "--output-file dev.ckdb", "what was tried on this machine"),
  ],
  exits: [.done] + Command.ExitMeaning.server,
  run: { call in
    let client = try ManagementClient(call, command: "schema export")
    let answer = try client.export(call.value("environment") ?? "development")
    if call.has("json") {
      try call.console.write(message: answer)
    } else if let file = call.value("output-file") {
      try Disk().write(answer.schema, to: file)
      call.console.writeText(
        "wrote the schema of \(answer.environment.rawValue), version \(answer.version), to \(file)\n"
      )
    } else {
      call.console.write(answer.schema)
    }
    return .ok
  })

extension ManagementClient {
  /// An environment's schema.
  func export(_ environment: String) throws -> SchemaExportResponse {
    try get(
      .export, query: "\(ManagementEndpoint.environmentKey)=\(environment)",
      as: SchemaExportResponse.self)
  }
}
