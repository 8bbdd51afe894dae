import HTTPTransport
import ServerAccess
import Testing

@testable import RecordServerHTTP

/// Requests from pages of other origins.
@Suite struct CrossOriginTests {
  private static let page = "https://notes.example.org"

  @Test func `a page that the API token lists may send and read, errors too`() async throws {
    let world = try SiteWorld(origins: .only([Self.page]))
    let query = "ckAPIToken=\(world.apiToken)"
    let asked = try await world.ask(
      "zones/list", "", query: query, headers: ["Origin": Self.page], method: .options)
    #expect(asked.status == 204)
    #expect(asked.headers["Access-Control-Allow-Origin"] == Self.page)
    #expect(asked.headers["Access-Control-Allow-Methods"] == "GET, POST")
    #expect(asked.headers["Vary"] == "Origin")
    let answer = try await world.ask("zones/list", "", headers: ["Origin": Self.page])
    #expect(answer.status == 200)
    #expect(answer.headers["Access-Control-Allow-Origin"] == Self.page)
    let refused = try await world.ask(
      "zones/list", "", query: query, headers: ["Origin": Self.page])
    #expect(refused.status == 421)
    #expect(refused.headers["Access-Control-Allow-Origin"] == Self.page)
    await world.end()
  }

  @Test func `another page is turned away, and may not read why`() async throws {
    let world = try SiteWorld(origins: .only([Self.page]))
    for method in [HTTPClientRequest.Method.options, .post] {
      let answer = try await world.ask(
        "zones/list", "", headers: ["Origin": "https://evil.example"], method: method)
      #expect(answer.status == 403)
      #expect(answer.values(of: "serverErrorCode") == ["ACCESS_DENIED"])
      #expect(answer.headers["Access-Control-Allow-Origin"] == nil)
    }
    await world.end()
  }

  @Test func `a program without an origin is let in, and gets no headers for pages`() async throws {
    let world = try SiteWorld(origins: .only([Self.page]))
    let answer = try await world.ask("zones/list", "")
    #expect(answer.status == 200)
    #expect(answer.headers["Access-Control-Allow-Origin"] == nil)
    await world.end()
  }
}
