import Foundation
import Glibc
import HTTPServer
import Synchronization

/// A server on a free port with the handler, while `body` runs.
func withServer(
  _ change: (inout HTTPServerConfiguration) -> Void = { _ in },
  handler: HTTPHandler = HTTPHandler(respond: answer),
  _ body: (HTTPServer, ListenAddress) async throws -> Void
) async throws {
  var configuration = HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)])
  // Clients of tests stay open after the server's end, which the server would wait for.
  configuration.deadlines.linger = .milliseconds(200)
  change(&configuration)
  let server = try HTTPServer.start(configuration, handler: handler)
  do {
    guard let address = server.addresses.first else { return }
    try await body(server, address)
  } catch {
    await server.drain(within: .zero)
    throw error
  }
  await server.drain(within: .zero)
}

/// What most tests ask: says back what came.
@Sendable func answer(_ request: HTTPRequest) async -> HTTPResponse {
  switch request.path {
  case "/echo": return HTTPResponse(body: request.body)
  case "/large":
    return HTTPResponse(body: [UInt8](repeating: 0x61, count: Int(request.query ?? "") ?? 0))
  case "/text":
    return HTTPResponse(
      headers: ["Content-Type": "text/plain", "ETag": "\"1\""],
      body: Array(String(repeating: "text ", count: 1000).utf8))
  case "/slow":
    try? await Task.sleep(for: .milliseconds(Int(request.query ?? "") ?? 0))
    return HTTPResponse(body: Array("slow".utf8))
  case "/inject": return HTTPResponse(headers: ["X": "a\r\nSet-Cookie: b"])
  case "/chunks":
    return HTTPResponse(
      stream: HTTPStream { writer in
        for number in 0..<(Int(request.query ?? "") ?? 0) { try await writer.write("<\(number)>") }
      })
  case "/broken":
    return HTTPResponse(
      stream: HTTPStream { writer in
        try await writer.write("half")
        throw HTTPStreamError.streamHasEnded
      })
  case "/events":
    return HTTPResponse(
      headers: ["Content-Type": "text/event-stream"],
      stream: HTTPStream(whenDraining: .cancel) { writer in
        while true {
          try await writer.write("data: x\n\n")
          try await Task.sleep(for: .milliseconds(20))
        }
      })
  default:
    return HTTPResponse(
      body: Array("\(request.method.rawValue) \(request.target) \(request.body.count)".utf8))
  }
}

/// Something that tasks of a server note, and a test reads.
final class Notes: Sendable {
  private let notes = Mutex<[String]>([])

  func add(_ note: String) { notes.withLock { $0.append(note) } }

  var all: [String] { notes.withLock { $0 } }
}

/// Waits until a condition holds; false when it does not within five seconds, or more under a sanitizer.
func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<500 * Sanitizer.slowness {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return condition()
}

/// Bytes of memory that the process has in use.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var text = [CChar](repeating: 0, count: 256)
  guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
  let line = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0)
    * Int(sysconf(Int32(_SC_PAGESIZE)))
}

/// Runs what blocks on a thread of its own: the pool's threads are as few as the cores, and sleeping tasks wake on them.
func onThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread {
      body()
      continuation.resume()
    }.start()
  }
}
