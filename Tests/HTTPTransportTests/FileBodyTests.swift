import Foundation
import HTTPTransport
import Testing

/// Bodies that are in files, not in memory.
@Suite struct FileBodyTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "contrail-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  @Test(arguments: [0, 1, 5 << 20])
  func `a file is sent, and what comes is written to another`(count: Int) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let bytes = pattern(count)
    try Data(bytes).write(to: URL(filePath: path("sent")))
    try Data([1, 2, 3]).write(to: URL(filePath: path("came")))
    try await withServer { client, base, _ in
      var request = HTTPClientRequest(.post, "\(base)/echo")
      (request.bodyFile, request.responseFile) = (path("sent"), path("came"))
      request.stallTimeout = .seconds(30)
      let answer = try await client.send(request)
      #expect(answer.status == 200)
      #expect(answer.body == [])
    }
    #expect([UInt8](try Data(contentsOf: URL(filePath: path("came")))) == bytes)
  }

  @Test func `the body of a failure is in the answer, and the file stays empty`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await withServer { client, base, _ in
      var request = HTTPClientRequest(.get, "\(base)/missing")
      request.responseFile = path("came")
      let answer = try await client.send(request)
      #expect(answer.status == 404)
      #expect(String(decoding: answer.body, as: UTF8.self) == "nothing here")
      #expect(try Data(contentsOf: URL(filePath: path("came"))).isEmpty)
    }
  }

  @Test func `more than was allowed is not written, and files that cannot be used are told`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await withServer { client, base, _ in
      var large = HTTPClientRequest(.get, "\(base)/bytes?1000")
      (large.responseFile, large.responseBytesMax) = (path("came"), 999)
      var missing = HTTPClientRequest(.post, "\(base)/echo")
      missing.bodyFile = path("missing")
      var nowhere = HTTPClientRequest(.get, "\(base)/bytes?3")
      nowhere.responseFile = path("no/such/folder")
      for (request, code) in [
        (large, HTTPClientError.Code.responseTooLarge), (missing, .fileFailed),
        (nowhere, .fileFailed),
      ] {
        await #expect(throws: HTTPClientError.self) {
          do {
            _ = try await client.send(request)
          } catch let error as HTTPClientError {
            #expect(error.code == code)
            throw error
          }
        }
      }
    }
  }
}
