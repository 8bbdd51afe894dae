import ServerFloors

/// Requests as bytes, made before anything is measured.
final class Requests {
  private let buffers: [UnsafeMutableBufferPointer<UInt8>]

  init(_ requests: [[UInt8]]) {
    buffers = requests.map { request in
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: request.count)
      _ = buffer.initialize(from: request)
      return buffer
    }
  }

  deinit { for buffer in buffers { buffer.deallocate() } }

  /// The requests as C takes them, good as long as this object is.
  var list: [server_bytes] {
    buffers.map { server_bytes(bytes: $0.baseAddress, count: $0.count) }
  }

  /// Sends them all over so many connections, and returns how many bytes the answers have.
  func play(to port: UInt16, connections: Int = 1) throws -> Int64 {
    var totals = server_totals()
    let code = server_play(port, list, buffers.count, Int32(connections), &totals)
    guard code == 0, totals.failures == 0 else {
      throw BenchFailure("\(totals.failures) requests failed, and the connection with \(code)")
    }
    return totals.body_bytes
  }

  static func post(_ path: String, _ body: [UInt8]) -> [UInt8] {
    let head = [
      "POST \(path) HTTP/1.1", "Host: localhost", "Content-Type: application/json",
      "Content-Length: \(body.count)", "", "",
    ]
    return Array(head.joined(separator: "\r\n").utf8) + body
  }

  static func get(_ path: String) -> [UInt8] {
    Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
  }

  /// The body of the answer to one request.
  static func ask(_ server: RecordServerProcess, _ request: [UInt8]) throws -> [UInt8] {
    var (status, count): (Int32, Int) = (0, 0)
    var body: UnsafeMutablePointer<UInt8>?
    let code = request.withUnsafeBufferPointer { bytes in
      server_ask(
        server.port, server.isTLS ? 1 : 0,
        server_bytes(bytes: bytes.baseAddress, count: bytes.count), &status, &body, &count)
    }
    defer { server_free(body) }
    let answer = Array(UnsafeBufferPointer(start: body, count: body == nil ? 0 : count))
    guard code == 0, status == 200 else {
      throw BenchFailure(
        "a request failed with \(code), \(status): \(String(decoding: answer, as: UTF8.self))")
    }
    return answer
  }
}
