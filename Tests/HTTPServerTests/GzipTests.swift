@testable import HTTPServer
import Testing

extension SocketTests {
  @Suite struct GzipTests {
    private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
      try #require(GzipEncoder(level: 6).encode(bytes))
    }

    @Test func `what is compressed expands to the same, and only within the limit`() throws {
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 100) }
      let small = try gzip(bytes)
      #expect(small.count < bytes.count / 10)
      #expect(try GzipDecoder.decode(small, expandedBytesMax: bytes.count) == bytes)
      #expect(throws: RequestFault.expandedTooLarge) {
        try GzipDecoder.decode(small, expandedBytesMax: bytes.count - 1)
      }
    }

    @Test func `what does not become smaller stays as it is`() {
      var state: UInt64 = 1
      let noise = (0..<5000).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      #expect(GzipEncoder(level: 9).encode(noise) == nil)
      #expect(GzipEncoder(level: 9).encode([]) == nil)
    }

    @Test func `every damaged stream is refused or expands to the same`() throws {
      let bytes = Array(String(repeating: "some text ", count: 30).utf8)
      let good = try gzip(bytes)
      for end in 0..<good.count {
        #expect(throws: RequestFault.malformedGzip) {
          try GzipDecoder.decode(Array(good[..<end]), expandedBytesMax: 1 << 20)
        }
      }
      #expect(throws: RequestFault.malformedGzip) {
        try GzipDecoder.decode(good + [0], expandedBytesMax: 1 << 20)
      }
      #expect(throws: RequestFault.malformedGzip) {
        try GzipDecoder.decode(good + good, expandedBytesMax: 1 << 20)
      }
    }

    @Test(arguments: [
      ("gzip", true), ("deflate, GZIP;q=0.5", true), ("*", true), ("gzip;q=0, *", false),
      ("gzip; q=0.00", false), ("*;q=0", false), ("br", false), ("", false), ("x-gzip", true),
      ("gzip;q=0.001", true), ("gzipped", false), (",,;,", false),
    ])
    func `Accept-Encoding is weighed`(value: String, accepts: Bool) {
      #expect(ContentCodings.acceptsGzip([value]) == accepts)
    }

    @Test func `a response is compressed for who asks, and told apart for caches`() async throws {
      try await withServer { _, address in
        let client = try Client(address)
        let plain = try client.get("/text")
        #expect(plain.headers["content-encoding"] == nil)
        #expect(plain.headers["vary"] == "Accept-Encoding")
        #expect(plain.headers["etag"] == "\"1\"")
        let small = try client.get("/text", headers: "Accept-Encoding: br, gzip\r\n")
        #expect(small.headers["content-encoding"] == "gzip")
        #expect(small.headers["vary"] == "Accept-Encoding")
        #expect(small.headers["etag"] == "W/\"1\"")
        #expect(small.body.count < plain.body.count / 10)
        #expect(try GzipDecoder.decode(small.body, expandedBytesMax: 1 << 20) == plain.body)
        // Small bodies and unknown types stay as they are.
        let other = try client.get("/large?5000", headers: "Accept-Encoding: gzip\r\n")
        #expect(other.headers["content-encoding"] == nil)
        #expect(other.headers["vary"] == nil)
      }
    }

    @Test func `a request may be compressed, and a bomb is not expanded`() async throws {
      try await withServer({ $0.limits.expandedBodyBytesMax = 100_000 }) { _, address in
        func post(_ body: [UInt8], _ coding: String) throws -> Reply {
          let client = try Client(address)
          try client.send(
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
          )
          try client.send(body)
          return try client.receive()
        }
        let text = Array(String(repeating: "text ", count: 1000).utf8)
        #expect(try post(gzip(text), "gzip").body == text)
        #expect(try post(text, "identity").body == text)
        #expect(try post(text, "gzip").status == 400)
        #expect(try post(text, "br").status == 415)
        #expect(try post(text, "gzip, gzip").status == 415)
        let bomb = try gzip([UInt8](repeating: 0, count: 1_000_000))
        #expect(bomb.count < 6000)
        #expect(try post(bomb, "gzip").status == 413)
      }
    }
  }
}
