import RecordWire
import HTTPTransport
import ServerAccess
import Testing

@testable import RecordServerHTTP

/// The page on which users sign in.
@Suite struct SignInTests {
  private static let opener = "https://notes.example.org"

  private func page(_ world: SiteWorld) throws -> String {
    let id = try world.accounts.apiTokens().first.unwrapped().id
    return "/signin?token=\(id)&origin=\(PercentCoding.encoded(Self.opener))"
  }

  private func form(_ name: String, _ password: String) -> String {
    "name=\(PercentCoding.encoded(name))&password=\(password.split(separator: " ").joined(separator: "+"))"
  }

  @Test func `the page names the app, and lets nothing in from elsewhere`() async throws {
    let world = try SiteWorld()
    let answer = try await world.send(.get, try page(world))
    #expect(answer.status == 200)
    #expect(answer.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(
      answer.headers["Content-Security-Policy"]
        == "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; form-action 'self' "
        + "https: http:; frame-ancestors 'none'; base-uri 'none'")
    #expect(answer.headers["Cache-Control"] == "no-store")
    #expect(answer.text.contains("<b>Notes &lt;web&gt;</b>"))
    #expect(answer.text.contains(#"<input name="password" type="password""#))
    await world.end()
  }

  @Test func `who knows the password gets a web token that is posted to the page that asked`()
    async throws
  {
    let world = try SiteWorld()
    let answer = try await world.send(
      .post, try page(world), form("ann", "correct horse"), ["Origin": world.url])
    #expect(answer.status == 200)
    #expect(answer.text.contains(#"data-origin="https://notes.example.org""#))
    let token = try answer.attribute("data-token").unwrapped()
    let asked = try await world.ask(
      "zones/list", "", query: "ckAPIToken=\(world.apiToken)&ckWebAuthToken=\(token)")
    #expect(asked.status == 200)
    let script = try await world.send(.get, "/signin.js")
    #expect(script.text.contains("window.opener.postMessage({ckWebAuthToken:d.token"))
    await world.end()
  }

  @Test func `an app with an address gets the token there`() async throws {
    let world = try SiteWorld(callback: .address("https://app.example.org/done?x=1"))
    let answer = try await world.send(
      .post, try page(world), form("ann", "correct horse"), ["Origin": world.url])
    #expect(answer.status == 303)
    let place = try answer.headers["Location"].unwrapped()
    #expect(place.hasPrefix("https://app.example.org/done?x=1&ckWebAuthToken="))
    await world.end()
  }

  @Test func `a wrong password and an unknown name are told the same`() async throws {
    let world = try SiteWorld()
    let wrong = try await world.send(
      .post, try page(world), form("ann", "wrong"), ["Origin": world.url])
    let unknown = try await world.send(
      .post, try page(world), form("bob", "wrong"), ["Origin": world.url])
    #expect(wrong.status == 403)
    #expect(wrong.text.contains("The name or the password is wrong."))
    #expect(wrong.body == unknown.body)
    #expect(wrong.attribute("data-token") == nil)
    await world.end()
  }

  @Test(arguments: [
    ["Origin": "https://evil.example"] as HTTPClientHeaders,
    ["Sec-Fetch-Site": "cross-site"] as HTTPClientHeaders,
  ])
  func `a form that another site sends signs nobody in`(headers: HTTPClientHeaders) async throws {
    let world = try SiteWorld()
    let answer = try await world.send(
      .post, try page(world), form("ann", "correct horse"), headers)
    #expect(answer.status == 403)
    #expect(answer.attribute("data-token") == nil)
    await world.end()
  }

  @Test func `a page that the app does not list gets no token`() async throws {
    let world = try SiteWorld(origins: .only(["https://other.example.org"]))
    let answer = try await world.send(
      .post, try page(world), form("ann", "correct horse"), ["Origin": world.url])
    #expect(answer.status == 403)
    #expect(answer.attribute("data-token") == nil)
    await world.end()
  }

  @Test func `who guesses for long is told to wait`() async throws {
    let world = try SiteWorld()
    var statuses: Set<Int> = []
    for _ in 0..<12 {
      statuses.insert(
        try await world.send(
          .post, try page(world), form("ann", "wrong"), ["Origin": world.url]
        ).status)
    }
    #expect(statuses == [403, 429])
    await world.end()
  }

  @Test func `a page of no app says so`() async throws {
    let world = try SiteWorld()
    for path in ["/signin", "/signin?token=nope"] {
      let answer = try await world.send(.get, path)
      #expect(answer.status == 404)
      #expect(answer.text.contains("does not exist any more"))
    }
    await world.end()
  }
}

extension HTTPClientResponse {
  /// The value of an attribute in a page.
  fileprivate func attribute(_ name: String) -> String? {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(where: { $0.hasSuffix("\(name)=") }),
      parts.indices.contains(place + 1)
    else { return nil }
    return String(parts[place + 1])
  }
}
