import SQLiteDriver
import Testing

@testable import ServerAccess

@Suite struct `Authentication of requests` {
  private let folder: Folder
  private let accounts: AccountFile
  private let authentication: Authentication
  private let apiToken: IssuedToken
  private let webToken: IssuedToken
  private let user: User
  private let key: ServerKey

  init() throws {
    folder = try Folder()
    accounts = try folder.open()
    authentication = Authentication(accounts)
    user = try accounts.addUser(NewUser(name: "ann", password: nil), now: now)
    apiToken = try accounts.addAPIToken(NewAPIToken(name: "web", place: .notes), now: now)
    webToken = try accounts.addWebToken(userNamed: "ann", in: .notes, life: 60_000, now: now)
    key = try accounts.addServerKey(
      name: "job", in: .notes, publicKeyPEM: SignedByOpenSSL.publicKey, now: now)
    try accounts.setRoles(["editor"], ofUser: "ann", in: .notes)
    try accounts.setRoles(["robot"], ofServerKey: key.id)
  }

  /// Who calls, or why not.
  private func ask(
    _ credentials: Credentials, _ scope: AccessScope = .everyone, in place: ContainerPlace = .notes,
    at time: Int64 = now, by authentication: Authentication? = nil
  ) -> Result<Caller, AccessFailure> {
    do throws(AccessFailure) {
      return .success(
        try (authentication ?? self.authentication).authenticate(
          credentials, in: place, scope: scope, now: time))
    } catch { return .failure(error) }
  }

  private var anonymous: Caller {
    Caller(
      kind: .anonymous, recordName: nil, userID: nil, roles: [], tokenID: apiToken.id,
      sessionID: nil)
  }

  private func ann() throws -> Caller {
    Caller(
      kind: .user, recordName: try accounts.recordName(ofSubject: user.id, in: .notes),
      userID: user.id, roles: ["editor"], tokenID: apiToken.id, sessionID: webToken.id)
  }

  private func robot() throws -> Caller {
    Caller(
      kind: .key, recordName: try accounts.recordName(ofSubject: key.id, in: .notes), userID: nil,
      roles: ["robot"], tokenID: key.id, sessionID: nil)
  }

  private var byToken: Credentials { Credentials(apiToken: apiToken.text) }
  private var byUser: Credentials {
    Credentials(apiToken: apiToken.text, webToken: webToken.text)
  }
  private func byKey(_ signature: String = SignedByOpenSSL.signature) -> Credentials {
    Credentials(signature: SignedByOpenSSL.request(keyID: key.id, signature: signature))
  }

  @Test func `each credential is good for what the protocol says`() throws {
    let signIn = Result<Caller, AccessFailure>.failure(
      .authenticationRequired(apiTokenID: apiToken.id))
    let denied = Result<Caller, AccessFailure>.failure(.accessDenied(.keyOutsidePublic))
    let scopes: [AccessScope] = [.everyone, .user, .shared, .identity]
    #expect(
      scopes.map { ask(byToken, $0) } == [.success(anonymous), signIn, signIn, signIn])
    let ann = try ann()
    #expect(scopes.map { ask(byUser, $0) } == scopes.map { _ in .success(ann) })
    #expect(scopes.map { ask(byKey(), $0) } == [.success(try robot()), denied, denied, denied])
    let failed = Result<Caller, AccessFailure>.failure(.authenticationFailed)
    #expect(scopes.map { ask(Credentials(), $0) } == scopes.map { _ in failed })
  }

  @Test func `the protocol's codes and words tell nothing of what is wrong`() {
    let failures: [AccessFailure] = [
      .authenticationRequired(apiTokenID: "1"), .authenticationFailed, .accessDenied(.origin),
      .unavailable(.noHash("x")),
    ]
    #expect(
      failures.map { [$0.serverErrorCode, $0.reason] } == [
        ["AUTHENTICATION_REQUIRED", "request needs authorization"],
        ["AUTHENTICATION_FAILED", "Authentication failed"],
        ["ACCESS_DENIED", "the API token does not allow this origin"],
        ["TRY_AGAIN_LATER", "users and tokens cannot be looked up now"],
      ])
  }

  @Test func `a signature counts before tokens, and a wrong one is not made up for by them`() throws
  {
    var both = byUser
    both.signature = byKey().signature
    #expect(ask(both) == .success(try robot()))
    both.signature?.signature = "AAAA"
    #expect(ask(both) == .failure(.authenticationFailed))
  }

  @Test func `a credential is good in its own place only`() {
    for place in [ContainerPlace.notesDevelopment, .trips] {
      for credentials in [byToken, byUser, byKey()] {
        #expect(ask(credentials, in: place) == .failure(.authenticationFailed))
      }
    }
  }

  @Test func `a web token is good with any API token of its place, and with none of another`()
    throws
  {
    let other = try accounts.addAPIToken(NewAPIToken(name: "app", place: .notes), now: now)
    let mixed = Credentials(apiToken: other.text, webToken: webToken.text)
    #expect(try ask(mixed).get().userID == user.id)
    let foreign = try accounts.addAPIToken(NewAPIToken(name: "trips", place: .trips), now: now)
    let crossed = Credentials(apiToken: foreign.text, webToken: webToken.text)
    #expect(
      ask(crossed, in: .trips) == .failure(.authenticationRequired(apiTokenID: foreign.id)))
  }

  @Test func `a token with any character changed is unknown`() {
    for place in apiToken.text.indices {
      var text = apiToken.text
      text.replaceSubrange(place...place, with: text[place] == "0" ? "1" : "0")
      #expect(ask(Credentials(apiToken: text)) == .failure(.authenticationFailed))
    }
    for place in webToken.text.indices {
      var text = webToken.text
      text.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
      #expect(
        ask(Credentials(apiToken: apiToken.text, webToken: text))
          == .failure(.authenticationRequired(apiTokenID: apiToken.id)))
    }
  }

  @Test func `a web token may come in the alphabet of old clients`() throws {
    let bytes = try #require(Base64Text.bytes(webToken.text.utf8, .tolerant))
    let text = Base64Text.standardText(bytes)
    #expect(ask(Credentials(apiToken: apiToken.text, webToken: text)) == .success(try ann()))
  }

  @Test func `a web token ends at its end, also when it is known already`() throws {
    #expect(ask(byUser, at: now + 59_999) == .success(try ann()))
    #expect(
      ask(byUser, at: now + 60_000) == .failure(.authenticationRequired(apiTokenID: apiToken.id)))
  }

  @Test func `a signed request ends ten minutes after its date`() throws {
    #expect(ask(byKey(), at: now + 600_000) == .success(try robot()))
    #expect(ask(byKey(), at: now + 600_001) == .failure(.authenticationFailed))
  }

  @Test func `pages of other origins are kept out, and programs are not`() throws {
    let token = try accounts.addAPIToken(
      NewAPIToken(name: "site", place: .notes, origins: .only(["https://a.example"])), now: now)
    func origin(_ origin: String?) -> Credentials {
      Credentials(apiToken: token.text, origin: origin)
    }
    for good in [nil, "https://a.example"] { #expect((try? ask(origin(good)).get()) != nil) }
    for bad in ["https://b.example", "null", ""] {
      #expect(ask(origin(bad)) == .failure(.accessDenied(.origin)))
    }
    func allows(_ origin: String) throws -> Bool {
      try authentication.allowsOrigin(origin, apiToken: token.text, in: .notes, now: now)
    }
    #expect(try allows("https://a.example"))
    #expect(try !allows("https://b.example"))
    #expect(throws: AccessFailure.authenticationFailed) {
      try authentication.allowsOrigin("https://a.example", apiToken: "0", in: .notes, now: now)
    }
  }

  @Test func `what this process takes away is gone at once`() throws {
    _ = try ask(byUser).get()
    try accounts.signOutEverywhere(userNamed: "ann")
    #expect(ask(byUser) == .failure(.authenticationRequired(apiTokenID: apiToken.id)))
    _ = try ask(byKey()).get()
    try accounts.revokeServerKey(id: key.id)
    #expect(ask(byKey()) == .failure(.authenticationFailed))
    try accounts.revokeAPIToken(id: apiToken.id)
    #expect(ask(byToken) == .failure(.authenticationFailed))
  }

  /// What another process can do to the user, the tokens or the key.
  private static let revocations: [String: @Sendable (AccountFile, Revoked) throws -> Void] = [
    "disable": { accounts, _ in try accounts.setDisabled(true, userNamed: "ann") },
    "remove": { accounts, _ in try accounts.removeUser(named: "ann") },
    "password": { accounts, _ in try accounts.setPassword("correct horse", ofUser: "ann") },
    "sign out everywhere": { accounts, _ in try accounts.signOutEverywhere(userNamed: "ann") },
    "sign out": { accounts, revoked in try accounts.signOut(revoked.webText) },
    "session": { accounts, revoked in try accounts.revokeWebSession(id: revoked.session) },
    "API token": { accounts, revoked in try accounts.revokeAPIToken(id: revoked.apiToken) },
    "key": { accounts, revoked in try accounts.revokeServerKey(id: revoked.key) },
  ]

  struct Revoked: Sendable {
    var session: String
    var webText: String
    var apiToken: String
    var key: String
  }

  @Test(arguments: [
    "disable", "remove", "password", "sign out everywhere", "sign out", "session", "API token",
    "key",
  ])
  func `what another process takes away is gone a second later`(name: String) throws {
    let credentials = name == "key" ? byKey() : byUser
    _ = try ask(credentials).get()
    let other = try folder.open(.seeded(9))
    let revocation = try #require(Self.revocations[name])
    let revoked = Revoked(
      session: webToken.id, webText: webToken.text, apiToken: apiToken.id, key: key.id)
    try revocation(other, revoked)
    // Kept for less than a second: this is what makes a request cheap, and no promise.
    _ = try ask(credentials, at: now + 999).get()
    #expect((try? ask(credentials, at: now + 1000).get()) == nil)
    #expect((try? ask(credentials, at: now + 1001).get()) == nil)
  }

  @Test func `roles that another process gives hold a second later`() throws {
    _ = try ask(byUser).get()
    try folder.open(.seeded(9)).setRoles(["admin"], ofUser: "ann", in: .notes)
    #expect(try ask(byUser, at: now + 1000).get().roles == ["admin"])
  }

  @Test func `what another process makes is good at once`() throws {
    _ = try ask(byUser).get()
    let other = try folder.open(.seeded(9))
    let token = try other.addAPIToken(NewAPIToken(name: "new", place: .trips), now: now)
    #expect(try ask(Credentials(apiToken: token.text), in: .trips).get().tokenID == token.id)
  }

  @Test func `a user who is let in again has to get a new token`() throws {
    try accounts.setDisabled(true, userNamed: "ann")
    try accounts.setDisabled(false, userNamed: "ann")
    #expect((try? ask(byUser).get()) == nil)
    let token = try accounts.addWebToken(userNamed: "ann", in: .notes, life: 1000, now: now)
    let credentials = Credentials(apiToken: apiToken.text, webToken: token.text)
    #expect(try ask(credentials).get().userID == user.id)
  }

  @Test func `a user who is shut out gets nothing from a token that was made meanwhile`() throws {
    try accounts.setDisabled(true, userNamed: "ann")
    let token = try accounts.addWebToken(userNamed: "ann", in: .notes, life: 1000, now: now)
    #expect((try? ask(Credentials(apiToken: apiToken.text, webToken: token.text)).get()) == nil)
  }

  @Test func `when the file cannot be read nobody is let in`() throws {
    _ = try ask(byUser).get()
    // The table goes while the daemon runs, as damage would have it.
    try Connection(.file(folder.file)).execute("ALTER TABLE access_fact RENAME TO gone")
    for time in [now + 1000, now + 1001, now + 5000] {
      guard case .failure(.unavailable(let error)) = ask(byUser, at: time) else {
        Issue.record("let in at \(time)")
        continue
      }
      #expect(error.code == .damaged)
    }
  }

  @Test func `management tokens are good for their container, their scope and their time`() throws {
    let container = ContainerPlace.notes.container
    let writer = try accounts.addManagementToken(
      name: "ci", container: container, scope: .write, life: 1000, now: now)
    let reader = try accounts.addManagementToken(
      name: "look", container: nil, scope: .read, now: now)
    func ask(
      _ token: String?, _ container: String?, _ scope: ManagementScope, at time: Int64 = now
    ) -> AccessFailure? {
      do throws(AccessFailure) {
        _ = try authentication.authenticateManagement(
          token, container: container, needs: scope, now: time)
        return nil
      } catch { return error }
    }
    #expect(ask(writer.text, container, .write) == nil)
    #expect(ask(writer.text, container, .read) == nil)
    #expect(ask(writer.text, "other", .read) == .accessDenied(.otherContainer))
    #expect(ask(writer.text, nil, .read) == .accessDenied(.otherContainer))
    #expect(ask(writer.text, container, .write, at: now + 999) == nil)
    #expect(ask(writer.text, container, .write, at: now + 1000) == .authenticationFailed)
    #expect(ask(reader.text, "other", .read) == nil)
    #expect(ask(reader.text, nil, .read) == nil)
    #expect(ask(reader.text, "other", .write) == .accessDenied(.readOnly))
    for text in [nil, "", "ctr_mgmt_", apiToken.text, String(writer.text.dropFirst(9))] {
      #expect(ask(text, container, .read) == .authenticationFailed)
    }
    try folder.open(.seeded(9)).revokeManagementToken(id: reader.id)
    #expect(ask(reader.text, nil, .read, at: now + 2000) == .authenticationFailed)
    #expect(try accounts.managementTokens().map(\.name) == ["ci"])
  }
}

@Suite struct `What is kept in memory` {
  @Test func `is bounded, and what is used stays`() {
    let cache = LookupCache<Int, Int>(entriesMax: 10)
    cache.keep(-1, -1, generation: 1)
    for number in 0..<1000 {
      cache.keep(number, number, generation: 1)
      #expect(cache.entry(-1, generation: 1) == -1)
      #expect(cache.count <= 20)
    }
    #expect(cache.entry(999, generation: 1) == 999 && cache.entry(0, generation: 1) == nil)
  }

  @Test func `is forgotten with its generation, and what was read before is not kept after`() {
    let cache = LookupCache<Int, Int>(entriesMax: 10)
    cache.keep(1, 1, generation: 1)
    #expect(cache.entry(1, generation: 2) == nil)
    cache.keep(1, 1, generation: 1)
    #expect(cache.entry(1, generation: 2) == nil && cache.entry(1, generation: 1) == nil)
    cache.keep(1, 3, generation: 3)
    #expect(cache.entry(1, generation: 2) == 3)
  }
}
