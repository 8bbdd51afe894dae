import HTTPTransport
import RecordServer
import Testing

@testable import RecordServerHTTP

/// Files that go in and come out.
@Suite struct AssetTests {
  /// Uploads a file for the record `a`, saves the record and gives the address of the file.
  private func saved(_ world: SiteWorld, _ bytes: String) async throws -> String {
    let places = try await world.ask(
      "assets/upload",
      #"{"tokens":[{"recordName":"a","recordType":"Note","fieldName":"file"}]}"#)
    let place = try places.values(of: "url").first.unwrapped()
    let stored = try await world.send(.post, place, bytes)
    #expect(stored.status == 200)
    let prefix = #"{"singleFile":"#
    #expect(stored.text.hasPrefix(prefix))
    let asset = stored.text.dropFirst(prefix.count).dropLast()
    let record = try await world.ask(
      "records/modify",
      #"{"operations":[{"operationType":"forceUpdate","record":{"recordName":"a","recordType":"#
        + #""Note","fields":{"file":{"value":\#(asset)}}}}]}"#)
    #expect(record.values(of: "serverErrorCode") == [])
    let found = try await world.ask("records/lookup", #"{"records":[{"recordName":"a"}]}"#)
    #expect(found.values(of: "type") == ["ASSETID"])
    #expect(found.values(of: "receipt") == [])
    return try found.values(of: "downloadURL").first.unwrapped()
  }

  @Test func `a file is uploaded, saved and downloaded, whole and in part`() async throws {
    let world = try SiteWorld()
    let address = try await saved(world, "0123456789")
    let whole = try await world.send(.get, address)
    #expect(whole.text == "0123456789")
    #expect(whole.headers["Accept-Ranges"] == "bytes")
    let parts = [
      ("bytes=2-4", "234"), ("bytes=7-", "789"), ("bytes=-3", "789"), ("bytes=8-99", "89"),
    ]
    for (range, text) in parts {
      let part = try await world.send(.get, address, "", ["Range": range])
      #expect(part.status == 206)
      #expect(part.text == text)
    }
    let beyond = try await world.send(.get, address, "", ["Range": "bytes=10-"])
    #expect(beyond.status == 416)
    #expect(beyond.headers["Content-Range"] == "bytes */10")
    for odd in ["bytes=a-b", "bytes=4-2", "lines=1-2", "bytes=0-1,3-4"] {
      #expect(try await world.send(.get, address, "", ["Range": odd]).status == 200)
    }
    await world.end()
  }

  @Test func `a long file comes in pieces`() async throws {
    let world = try SiteWorld()
    let bytes = String(repeating: "0123456789abcdef", count: 20_000)
    let address = try await saved(world, bytes)
    #expect(try await world.send(.get, address).text == bytes)
    await world.end()
  }

  @Test func `a long body is taken only where somebody was given a place for it`() async throws {
    let world = try SiteWorld()
    let long = String(repeating: "x", count: 100_000)
    let place = try await world.ask(
      "assets/upload", #"{"tokens":[{"recordType":"Note","fieldName":"file"}]}"#
    ).values(of: "url").first.unwrapped()
    #expect(try await world.send(.post, place, long).status == 200)
    #expect(try await world.send(.post, place + "A", long).status == 413)
    world.clock.advance(seconds: 16 * 60)
    #expect(try await world.send(.post, place, long).status == 413)
    await world.end()
  }

  @Test func `an address that was changed, or has expired, leads nowhere`() async throws {
    let world = try SiteWorld()
    let address = try await saved(world, "x")
    #expect(try await world.send(.get, address + "A").status == 404)
    world.clock.advance(seconds: 3601)
    let late = try await world.send(.get, address)
    #expect(late.status == 404)
    #expect(late.values(of: "reason") == ["the address has expired: ask for a new one"])
    await world.end()
  }

  @Test func `files beyond the database's quota are answered QUOTA_EXCEEDED`() async throws {
    var limits = ServiceLimits()
    limits.privateAssetBytesMax = 6
    let world = try SiteWorld(limits: limits)
    func place() async throws -> HTTPClientResponse {
      try await world.ask(
        "assets/upload", #"{"tokens":[{"recordType":"Note","fieldName":"file"}]}"#)
    }
    let first = try await place().values(of: "url").first.unwrapped()
    let second = try await place().values(of: "url").first.unwrapped()
    #expect(try await world.send(.post, first, "1234").status == 200)
    let refused = try await world.send(.post, second, "123")
    #expect(refused.values(of: "serverErrorCode") == ["QUOTA_EXCEEDED"])
    #expect(try await world.send(.post, second, "12").status == 200)
    #expect(try await place().values(of: "serverErrorCode") == ["QUOTA_EXCEEDED"])
    await world.end()
  }
}
