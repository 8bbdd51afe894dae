import Testing

@testable import ServerAccess

@Suite struct `Origins and callbacks` {
  @Test(arguments: [
    ("https://notes.example.org", "https://notes.example.org"),
    ("HTTPS://Notes.Example.ORG/", "https://notes.example.org"),
    ("https://notes.example.org:443", "https://notes.example.org"),
    ("http://localhost:3000", "http://localhost:3000"),
    ("http://notes.example.org:443", "http://notes.example.org:443"),
    ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
  ])
  func `an origin is kept as browsers send it`(text: String, kept: String) throws {
    let origins = try AllowedOrigins.only([text]).checked()
    #expect(origins == .only([kept]))
    #expect(AllowedOrigins(stored: origins.stored) == origins)
    #expect(origins.allows(kept) && origins.allows(kept.uppercased()) && origins.allows(nil))
    for other in [
      "null", "", kept + "0", kept + ".evil.example", "https://evil.example", kept + "/",
    ] {
      #expect(!origins.allows(other), "\(other)")
    }
  }

  @Test(arguments: [
    "", "*", "null", "notes.example.org", "https://", "https:///", "ftp://a", "https://a/b",
    "https://a?b", "https://a#b", "https://u@a", "https://a:0", "https://a:65536", "https://a:",
    "https://a:+1",
    "https://a b", "https://a\n", "https://é.example", "https://[", "https://[]", "https://[::1]x",
    "https://*.example.org", "https://a\\b", "javascript:alert(1)",
  ])
  func `a text that is no origin is refused`(text: String) {
    let error = #expect(throws: AccountError.self) { try AllowedOrigins.only([text]).checked() }
    #expect(error?.code == .invalidOrigin)
  }

  @Test func `an empty list lets no page in, and keeps no program out`() throws {
    let origins = try AllowedOrigins.only([]).checked()
    #expect(AllowedOrigins(stored: origins.stored) == origins)
    #expect(!origins.allows("https://a") && origins.allows(nil))
    #expect(AllowedOrigins(stored: nil) == .any && AllowedOrigins.any.allows("null"))
  }

  @Test(arguments: [
    ("https://a.example/in", "https://a.example/in?ckWebAuthToken=T"),
    ("https://a.example", "https://a.example?ckWebAuthToken=T"),
    ("https://a.example/in?x=1", "https://a.example/in?x=1&ckWebAuthToken=T"),
    ("https://a.example/in?", "https://a.example/in?ckWebAuthToken=T"),
    ("http://127.0.0.1:8080/in", "http://127.0.0.1:8080/in?ckWebAuthToken=T"),
    ("http://[::1]:8080/in", "http://[::1]:8080/in?ckWebAuthToken=T"),
    ("http://localhost/in", "http://localhost/in?ckWebAuthToken=T"),
  ])
  func `a callback gets the token in its query`(text: String, destination: String) throws {
    let callback = try SignInCallback.address(text).checked()
    #expect(callback.destination(with: "T") == destination)
    #expect(SignInCallback(stored: callback.stored) == callback)
  }

  @Test(arguments: [
    "", "/in", "http://a.example/in", "https://u:p@a.example/in", "https://a.example/in#x",
    "javascript:alert(1)", "https://a.example/\"><script>", "https://localhost.evil.example:x/",
    "http://localhost.evil.example/", "http://127.0.0.1.evil.example/", "data:text/html,x",
    "https://a.example\\@b.example/",
  ])
  func `a callback that could lead elsewhere is refused`(text: String) {
    let error = #expect(throws: AccountError.self) { try SignInCallback.address(text).checked() }
    #expect(error?.code == .invalidCallback)
  }

  @Test func `a token is posted to an opener that is allowed, and to no star`() {
    func page(_ origins: AllowedOrigins, _ callback: SignInCallback = .postMessage) -> SignInPage {
      SignInPage(
        APIToken(
          id: "1", place: .notes, name: "web", origins: origins, callback: callback, notes: "",
          created: 0))
    }
    let listed = page(.only(["https://a.example"]))
    #expect(listed.messageTarget(opener: "https://A.example") == "https://a.example")
    #expect(page(.any).messageTarget(opener: "https://b.example") == "https://b.example")
    for opener in ["https://b.example", "*", "null", "", "https://a.example/x", nil] {
      #expect(listed.messageTarget(opener: opener) == nil)
    }
    for opener in ["*", "null", "", "https://a.example/x", nil] {
      #expect(page(.any).messageTarget(opener: opener) == nil)
    }
    #expect(
      page(.any, .address("https://a.example")).messageTarget(opener: "https://a.example") == nil)
  }
}
