import COpenSSL
import CEpoll
import Glibc
@testable import HTTPServer

/// What a client received for one request.
struct Reply: Equatable {
  var status = 0
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Why a client gave up.
enum ClientError: Error, Equatable {
  case cannotConnect(Int32)
  case timeout
  case ended
  case reset
  case malformed(String)
}

/// A client that does exactly what it is told, on a blocking socket with a time limit.
final class Client {
  let descriptor: Int32
  private var context: OpaquePointer?
  private var ssl: OpaquePointer?
  private var buffer: [UInt8] = []

  init(_ address: ListenAddress, receiveBuffer: Int32? = nil, seconds: Int = 10) throws {
    switch address {
    case .tcp(let host, let port):
      descriptor = socket(host.contains(":") ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      try prepare(receiveBuffer, seconds * Sanitizer.slowness)
      try host.contains(":") ? connectSix(port) : connectFour(port)
    case .unix(let path):
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      try prepare(receiveBuffer, seconds * Sanitizer.slowness)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      try connect(&address)
    }
  }

  deinit {
    if let ssl { SSL_free(ssl) }
    if let context { SSL_CTX_free(context) }
    close(descriptor)
  }

  private func prepare(_ receiveBuffer: Int32?, _ seconds: Int) throws {
    guard descriptor >= 0 else { throw ClientError.cannotConnect(errno) }
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
    if let receiveBuffer {
      _ = contrail_set_option(descriptor, SOL_SOCKET, SO_RCVBUF, receiveBuffer)
    }
  }

  private func connectFour(_ port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try connect(&address)
  }

  private func connectSix(_ port: UInt16) throws {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    inet_pton(AF_INET6, "::1", &address.sin6_addr)
    try connect(&address)
  }

  private func connect<Address>(_ address: inout Address) throws {
    let length = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, length) }
    }
    guard result == 0 else { throw ClientError.cannotConnect(errno) }
  }

  /// Shakes hands; returns the protocol that was agreed on, and the certificate's name.
  func startTLS(protocols: [String] = ["http/1.1"], atMost: Int32 = TLS1_3_VERSION) throws
    -> (protocol: String, certificate: String)
  {
    guard let context = SSL_CTX_new(TLS_client_method()), let ssl = SSL_new(context) else {
      throw ClientError.malformed("no TLS")
    }
    (self.context, self.ssl) = (context, ssl)
    SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(atMost), nil)
    // Debian's default level refuses the old version before the server can.
    SSL_set_security_level(ssl, 0)
    let offer = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    SSL_set_alpn_protos(ssl, offer, UInt32(offer.count))
    SSL_set_fd(ssl, descriptor)
    ERR_clear_error()
    guard SSL_connect(ssl) == 1 else { throw ClientError.malformed("handshake") }
    var chosen: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &chosen, &count)
    let name = String(
      decoding: UnsafeBufferPointer(start: chosen, count: Int(count)), as: UTF8.self)
    return (name, Self.commonName(SSL_get1_peer_certificate(ssl)))
  }

  private static func commonName(_ certificate: OpaquePointer?) -> String {
    guard let certificate else { return "" }
    defer { X509_free(certificate) }
    var text = [CChar](repeating: 0, count: 256)
    let name = X509_get_subject_name(certificate)
    X509_NAME_get_text_by_NID(name, NID_commonName, &text, Int32(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { rest in
        ssl.map { Int(SSL_write($0, rest.baseAddress, Int32(rest.count))) }
          ?? contrail_send(descriptor, rest.baseAddress, rest.count, 0)
      }
      guard count > 0 else { throw errno == EAGAIN ? ClientError.timeout : .reset }
      sent += count
    }
  }

  func get(_ target: String, headers: String = "") throws -> Reply {
    try send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n")
    return try receive()
  }

  func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads one reply; `withoutBody` for the one to HEAD.
  func receive(withoutBody: Bool = false) throws -> Reply {
    var reply = try receiveHead()
    if withoutBody || [100, 204, 304].contains(reply.status) { return reply }
    if reply.headers["transfer-encoding"] == "chunked" {
      while let chunk = try receiveChunk() { reply.body += chunk }
    } else if let count = reply.headers["content-length"].flatMap({ Int($0) }) {
      reply.body = try receive(count: count)
    } else {
      reply.body = try receiveRest()
    }
    return reply
  }

  func receiveHead() throws -> Reply {
    var reply = Reply()
    let first = try receiveLine()
    guard first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3)) else {
      throw ClientError.malformed(first)
    }
    reply.status = status
    while true {
      let line = try receiveLine()
      if line.isEmpty { return reply }
      let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
      reply.headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1]) : ""
    }
  }

  /// The next chunk; nil at the end.
  func receiveChunk() throws -> [UInt8]? {
    let line = try receiveLine()
    guard let count = Int(line, radix: 16) else { throw ClientError.malformed(line) }
    let chunk = try receive(count: count)
    guard try receiveLine().isEmpty else { throw ClientError.malformed("chunk") }
    return count == 0 ? nil : chunk
  }

  /// What comes until the server ends its side.
  func receiveRest() throws -> [UInt8] {
    do {
      while true { try fill() }
    } catch ClientError.ended {
      defer { buffer = [] }
      return buffer
    }
  }

  private func receiveLine() throws -> String {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end].dropLast(), as: UTF8.self)
      }
      try fill()
    }
  }

  func receive(count: Int) throws -> [UInt8] {
    while buffer.count < count { try fill() }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  private func fill() throws {
    var piece = [UInt8](repeating: 0, count: 65536)
    let count =
      ssl.map { Int(SSL_read($0, &piece, Int32(piece.count))) }
      ?? read(descriptor, &piece, piece.count)
    if let ssl, count <= 0, SSL_get_error(ssl, Int32(count)) == SSL_ERROR_ZERO_RETURN {
      throw ClientError.ended
    }
    guard count != 0 else { throw ClientError.ended }
    guard count > 0 else { throw errno == EAGAIN ? ClientError.timeout : .reset }
    buffer += piece[..<count]
  }
}
