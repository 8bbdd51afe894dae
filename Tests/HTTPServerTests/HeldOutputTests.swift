import Foundation
import Testing

@testable import HTTPServer

/// Answers that are sent together with those of other connections.
@Suite struct HeldOutputTests {
  @Test func `those that wait go when they are many, or have waited for more than a millisecond`() {
    var held = HeldOutputs()
    #expect(!held.mustGo(now: { 10 }))
    let taken = (UInt64(0)..<63).map { token in
      let isTaken = held.take(token, bytes: 100, now: { 10 })
      return isTaken && !held.mustGo(now: { 11 })
    }
    #expect(taken == Array(repeating: true, count: 63))
    #expect(held.mustGo(now: { 12 }))
    let isLastTaken = held.take(63, bytes: 100, now: { 11 })
    #expect(isLastTaken && held.mustGo(now: { 11 }))
    let gone = [held.removeAll(), held.removeAll()]
    #expect(gone == [Array(0..<64), []])
    #expect(!held.mustGo(now: { 100 }))
    let isLaterTaken = held.take(1, bytes: 100, now: { 100 })
    #expect(isLaterTaken && !held.mustGo(now: { 101 }))
  }

  @Test func `a large answer waits for nobody`() {
    var held = HeldOutputs()
    let taken = [16 * 1024, 16 * 1024 + 1].map { held.take(1, bytes: $0, now: { 0 }) }
    let gone = held.removeAll()
    #expect(taken == [true, false] && gone == [1])
  }

  @Test func `many clients at once are all answered, whatever they ask for`() async throws {
    let handler = HTTPHandler(reply: { request in
      switch request.path {
      case "/later": .later { HTTPResponse(body: Array("later".utf8)) }
      case "/large": .now(HTTPResponse(body: [UInt8](repeating: 0x61, count: 300_000)))
      default: .now(HTTPResponse(body: Array(request.path.utf8)))
      }
    })
    try await withServer({ $0.loopCount = 1 }, handler: handler) { _, address in
      let clients = try (0..<150).map { _ in try Client(address) }
      let paths = ["/a", "/later", "/b", "/large", "/c", "/d"]
      for round in 0..<5 {
        for (number, client) in clients.enumerated() {
          try client.send("GET \(paths[(number + round) % 6]) HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        for (number, client) in clients.enumerated() {
          let path = paths[(number + round) % 6]
          let wanted = path == "/large" ? 300_000 : path == "/later" ? 5 : 2
          #expect(try client.receive().body.count == wanted)
        }
      }
    }
  }
}
