import CommandKit
import JSONStream
import RecordWire

/// `schema diff` with a server on one side or on both.
struct ServerDiff {
  let call: Invocation

  func run() throws -> ExitCode {
    let answer = try ask()
    if call.has("json") {
      let comparison: JSONValue = [
        "from": .string(answer.from), "to": .string(answer.to),
        "changes": JSONValue(.array(answer.changes.map(\.json))),
      ]
      try call.console.write(JSONValue(.array([comparison])))
    } else {
      let count = counted(answer.changes.count, "difference")
      call.console.writeText(
        "\(answer.from) → \(answer.to): \(count)\n"
          + answer.changes.map { "  \($0.mark) \($0.line)\n" }.joined())
    }
    return !answer.changes.isEmpty && call.has("exit-code") ? .findings : .ok
  }

  private func ask() throws -> SchemaDiffResponse {
    let client = try ManagementClient(call, command: "schema diff")
    return try client.post(.diff, try request(), as: SchemaDiffResponse.self)
  }

  private func request() throws -> SchemaDiffRequest {
    guard call.arguments.count < 2 else {
      throw UsageError(
        "schema diff compares a server with one file, not with \(call.arguments.count)",
        fix: "name one file, or leave out --server")
    }
    guard let path = call.arguments.first else {
      guard call.has("environment") else { return SchemaDiffRequest() }
      throw UsageError(
        "without a file the two environments are compared",
        fix: "name a file, or leave out --environment")
    }
    let schema = try SchemaText(call, at: path)
    let environment =
      call.value("environment").flatMap { ContainerEnvironment(rawValue: $0) } ?? .production
    return SchemaDiffRequest(from: environment, schema: schema.text, file: schema.file)
  }
}
