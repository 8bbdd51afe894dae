// with-server [--tls] COMMAND …: runs a command while a record server's management API is there, on a container
// that the file `container.json` of the working directory holds from one run to the next.
//
// The command finds it at 127.0.0.1:8080: its arguments and its output say so, whatever the port is. The tokens are
// `writer`, which the command has unless it has another one, and `reader`. With --tls the server's certificate, which
// nobody but itself has signed, is `server.pem`.

import Foundation
import HTTPServer
import RecordServer
import RecordWire
import Synchronization

var words = Array(CommandLine.arguments.dropFirst())
var configuration = HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)])
if words.first == "--tls" {
  words.removeFirst()
  configuration.tls = try makeCertificate()
}
let file = URL(filePath: FileManager.default.currentDirectoryPath).appending(path: "container.json")
let stored = try? Data(contentsOf: file)
let management = Management(
  try stored.map { try ContainerSchema(stored: Array($0)) } ?? ContainerSchema())
let server = try HTTPServer.start(
  configuration, handler: HTTPHandler { [management] request in management.answer(request) })
let code = try run(words, at: server.addresses.first?.description ?? "")
try Data(try management.schema.stored()).write(to: file)
exit(code)

/// The container, and who may do what with it.
final class Management: Sendable {
  private let current: Mutex<ContainerSchema>

  init(_ schema: ContainerSchema) { current = Mutex(schema) }

  var schema: ContainerSchema { current.withLock { $0 } }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    do throws(RequestFailure) {
      let endpoint = try endpoint(of: request)
      try check(request.headers["Authorization"], endpoint)
      return try current.withLock { (schema) throws(RequestFailure) in
        let run = ManagementRun(
          container: "notes", schema: schema, mark: AuditMark(by: "writer", at: 1_700_000_000_000),
          uuid: "6F1C7B4E-0B0E-4E0C-9E8D-0F4B8B1D2A33")
        let outcome = try run.run(endpoint.verb, body: request.body, query: request.query)
        schema = outcome.schema ?? schema
        return response(outcome.status, outcome.answer)
      }
    } catch {
      return response(error.status, error)
    }
  }

  private func endpoint(of request: HTTPRequest) throws(RequestFailure) -> ManagementEndpoint {
    let found = ManagementEndpoint.rows.first {
      $0.path(of: "notes") == request.path && $0.method.rawValue == request.method.rawValue
    }
    if request.path.contains("/busy/") { throw RequestFailure(.tryAgainLater) }
    guard let found else { throw RequestFailure(.notFound, reason: "container not found") }
    return found
  }

  private func check(
    _ authorization: String?, _ endpoint: ManagementEndpoint
  ) throws(RequestFailure) {
    switch authorization {
    case "Bearer writer": break
    case "Bearer reader":
      if endpoint.needsWriting { throw RequestFailure(.accessDenied) }
    default: throw RequestFailure(.authenticationFailed)
    }
  }

  private func response(_ status: Int, _ message: any WireResponse) -> HTTPResponse {
    HTTPResponse(
      status: HTTPStatus(status), headers: ["Content-Type": "application/json"],
      body: (try? message.json()) ?? [])
  }
}

/// Runs the command, prints what it prints, and gives the code that it ends with.
func run(_ words: [String], at address: String) throws -> Int32 {
  let shown = "127.0.0.1:8080"
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words.map { $0.replacing(shown, with: address) }
  var environment = ProcessInfo.processInfo.environment
  environment["CONTRAIL_MANAGEMENT_TOKEN"] = environment["CONTRAIL_MANAGEMENT_TOKEN"] ?? "writer"
  process.environment = environment
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  let text = String(decoding: output, as: UTF8.self).replacing(address, with: shown)
  FileHandle.standardOutput.write(Data(text.utf8))
  return process.terminationStatus
}

/// A new key, and a certificate for 127.0.0.1 that it signed itself, made by the `openssl` tool.
func makeCertificate() throws -> TLSFiles {
  let files = TLSFiles(certificateChain: "server.pem", privateKey: "key.pem")
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [
    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
    "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
    files.privateKey, "-out", files.certificateChain,
  ]
  process.standardError = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  return files
}
