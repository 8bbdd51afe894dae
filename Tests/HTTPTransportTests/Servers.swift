import ChildPrograms
import Foundation
import Glibc
import HTTPServer
import HTTPTransport
import Synchronization

/// A server on a free port and a client, while `body` runs; `base` is the server's URL.
func withServer(
  _ change: (inout HTTPServerConfiguration) -> Void = { _ in },
  client: HTTPClientConfiguration = HTTPClientConfiguration(),
  _ body: (HTTPClient, _ base: String, HTTPServer) async throws -> Void
) async throws {
  var configuration = HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)])
  configuration.deadlines.linger = .milliseconds(200)
  // On a busy machine requests of one test are minutes apart.
  configuration.deadlines.idle = .seconds(600)
  change(&configuration)
  let handler = HTTPHandler(bodyLimit: { _ in 1 << 26 }, respond: answer)
  let server = try HTTPServer.start(configuration, handler: handler)
  var quiet = client
  // A proxy of whoever runs the tests knows nothing of this server.
  quiet.usesProxyOfEnvironment = false
  quiet.idleConnectionMax = .seconds(600)
  do {
    let scheme = configuration.tls == nil ? "http" : "https"
    guard let address = server.addresses.first else { return }
    try await body(try HTTPClient(quiet), "\(scheme)://\(address)", server)
  } catch {
    await server.drain(within: .zero)
    throw error
  }
  await server.drain(within: .zero)
}

/// What the tests ask for.
@Sendable private func answer(_ request: HTTPRequest) async -> HTTPResponse {
  switch request.path {
  case "/echo":
    return HTTPResponse(headers: ["Content-Type": "application/octet-stream"], body: request.body)
  case "/head":
    let lines = request.headers.all.filter { $0.name != "Host" }.map { "\($0.name): \($0.value)\n" }
    return HTTPResponse(
      headers: ["X-One": "first", "X-Empty": "", "x-one": "second"],
      body: Array("\(request.method.rawValue) \(request.target)\n\(lines.joined())".utf8))
  case "/bytes": return HTTPResponse(body: pattern(Int(request.query ?? "") ?? 0))
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
  case "/text":
    return HTTPResponse(
      headers: ["Content-Type": "text/plain"],
      body: Array(String(repeating: "text ", count: 4_000).utf8))
  case "/never":
    try? await Task.sleep(for: .seconds(600))
    return HTTPResponse()
  case "/away": return HTTPResponse(status: HTTPStatus(302), headers: ["Location": "/echo"])
  case "/round": return HTTPResponse(status: HTTPStatus(302), headers: ["Location": "/round"])
  case "/missing": return HTTPResponse(status: .notFound, body: Array("nothing here".utf8))
  default: return HTTPResponse(status: .badRequest)
  }
}

/// Bytes that compress badly and differ from place to place.
func pattern(_ count: Int) -> [UInt8] {
  (0..<max(0, count)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
}

/// A listening socket that takes connections and never answers, or answers with `reply` and closes.
final class RawServer: Sendable {
  let port: UInt16
  private let descriptor: Int32

  init(reply: String?) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(descriptor, name, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, name, &length) == 0
      }
    }
    guard isOpen else { throw POSIXError(.EADDRINUSE) }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    if let reply { Thread { Self.serve(descriptor, reply) }.start() }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Answers until the socket is shut down.
  private static func serve(_ descriptor: Int32, _ reply: String) {
    while true {
      let connection = accept(descriptor, nil, nil)
      guard connection >= 0 else { break }
      var request = [UInt8](repeating: 0, count: 65_536)
      _ = recv(connection, &request, request.count, 0)
      _ = send(connection, reply, reply.utf8.count, Int32(MSG_NOSIGNAL))
      close(connection)
    }
    close(descriptor)
  }
}

/// Files of a new key and a certificate for 127.0.0.1 that it signed itself, made by the `openssl` tool.
func makeCertificate() throws -> TLSFiles {
  let folder = FileManager.default.temporaryDirectory.path + "/contrail-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  let files = TLSFiles(certificateChain: folder + "/chain.pem", privateKey: folder + "/key.pem")
  _ = try ChildProgram.run([
    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
    "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
    files.privateKey, "-out", files.certificateChain,
  ])
  return files
}
