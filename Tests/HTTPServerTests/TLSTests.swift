import COpenSSL
import Foundation
@testable import HTTPServer
import Testing

extension SocketTests {
  @Suite struct TLSTests {
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `requests and large bodies go over TLS`(version: Int32) async throws {
      let files = try Certificates.make("one")
      let handler = HTTPHandler(bodyLimit: { _ in 1 << 25 }) { request in
        request.isSecure ? await answer(request) : HTTPResponse(status: .forbidden)
      }
      try await withServer({ $0.tls = files }, handler: handler) { _, address in
        let client = try Client(address)
        let session = try client.startTLS(atMost: version)
        #expect(session.protocol == "http/1.1")
        #expect(session.certificate == "one")
        #expect(try client.get("/a").text == "GET /a 0")
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
        try client.send(body)
        #expect(try client.receive().body == body)
        #expect(try client.get("/chunks?2").text == "<0><1>")
        #expect(try client.get("/a", headers: "Connection: close\r\n").status == 200)
        #expect(try client.receiveRest().isEmpty)
      }
    }

    @Test func `old versions and other protocols are refused`() async throws {
      let files = try Certificates.make("one")
      try await withServer({ $0.tls = files }) { server, address in
        #expect(throws: ClientError.self) { try Client(address).startTLS(atMost: TLS1_1_VERSION) }
        #expect(throws: ClientError.self) { try Client(address).startTLS(protocols: ["h2"]) }
        let session = try Client(address).startTLS(protocols: ["h2", "http/1.1"])
        #expect(session.protocol == "http/1.1")
        #expect(await eventually { server.counters.handshakeFailures == 2 })
      }
    }

    @Test func `plain HTTP to a TLS port is closed`() async throws {
      let files = try Certificates.make("one")
      try await withServer({ $0.tls = files }) { server, address in
        let client = try Client(address)
        #expect(throws: ClientError.self) { try client.get("/") }
        #expect(await eventually { server.counters.connectionsOpen == 0 })
      }
    }

    @Test func `a new certificate is for new connections, and a bad one changes nothing`()
      async throws
    {
      let one = try Certificates.make("one")
      let two = try Certificates.make("two")
      try await withServer({ $0.tls = one }) { server, address in
        let early = try Client(address)
        #expect(try early.startTLS().certificate == "one")
        #expect(throws: HTTPServerError.self) {
          try server.reloadTLS(
            TLSFiles(certificateChain: one.certificateChain, privateKey: two.privateKey))
        }
        #expect(try Client(address).startTLS().certificate == "one")
        try server.reloadTLS(two)
        #expect(try Client(address).startTLS().certificate == "two")
        #expect(try early.get("/a").text == "GET /a 0")
      }
    }

    @Test func `files that are no certificate are named, with what to do`() throws {
      let one = try Certificates.make("one")
      let two = try Certificates.make("two")
      func error(_ chain: String, _ key: String) -> HTTPServerError? {
        do throws(HTTPServerError) {
          _ = try TLSContext(TLSFiles(certificateChain: chain, privateKey: key))
          return nil
        } catch {
          return error
        }
      }
      let absent = error("/nowhere.pem", one.privateKey)
      #expect(absent?.code == .unreadableFile)
      #expect(
        absent?.description
          == "/nowhere.pem: The certificate cannot be read: No such file or directory. "
          + "Check the path, and that the server's user may read the file.")
      #expect(error(one.certificateChain, "/nowhere.pem")?.code == .unreadableFile)
      let noCertificate = error(one.privateKey, one.privateKey)
      #expect(noCertificate?.code == .badCertificate)
      #expect(noCertificate?.message.contains("no start line") == true)
      let mismatched = error(one.certificateChain, two.privateKey)
      #expect(mismatched?.code == .badPrivateKey)
      #expect(mismatched?.subject == two.privateKey)
      #expect(mismatched?.message.contains("key values mismatch") == true)
      #expect(error(one.certificateChain, one.certificateChain)?.code == .badPrivateKey)
    }

    @Test func `a server without TLS takes no certificate`() async throws {
      let files = try Certificates.make("one")
      try await withServer { server, _ in
        #expect(throws: HTTPServerError.self) { try server.reloadTLS(files) }
      }
    }
  }
}
