import Synchronization
import Testing

@testable import ServerAccess

@Suite struct `Signing in` {
  private let folder: Folder
  private let accounts: AccountFile
  private let authentication: Authentication
  private let signIn: SignIn
  private let apiToken: IssuedToken

  init() throws {
    folder = try Folder()
    accounts = try folder.open()
    authentication = Authentication(accounts)
    signIn = try SignIn(accounts)
    try accounts.addUser(NewUser(name: "ann", password: "correct horse"), now: now)
    try accounts.addUser(NewUser(name: "bot", password: nil), now: now)
    apiToken = try accounts.addAPIToken(
      NewAPIToken(
        name: "web", place: .notes, origins: .only(["https://a.example"]),
        callback: .address("https://a.example/in")), now: now)
  }

  private func attempt(
    _ name: String = "ann", _ password: String = "correct horse", keep: Bool = false,
    page: String? = nil, address: String = "192.0.2.1"
  ) -> SignInAttempt {
    SignInAttempt(
      apiTokenID: page ?? apiToken.id, name: name, password: password, keepSignedIn: keep,
      address: address)
  }

  private func user(_ token: String, at time: Int64) throws -> String? {
    let credentials = Credentials(apiToken: apiToken.text, webToken: token)
    return try? authentication.authenticate(credentials, in: .notes, scope: .user, now: time).userID
  }

  @Test func `the page knows whom it is for`() throws {
    let page = try #require(try signIn.page(apiTokenID: apiToken.id))
    #expect(page.name == "web" && page.place == .notes)
    #expect(
      page.callback.destination(with: "T") == "https://a.example/in?ckWebAuthToken=T")
    #expect(try signIn.page(apiTokenID: "0") == nil)
    // The secret is no name of a page.
    #expect(try signIn.page(apiTokenID: apiToken.text) == nil)
  }

  @Test func `the right password gives a token for half an hour, or for two weeks`() async throws {
    let ann = try #require(try accounts.user(named: "ann"))
    for (keep, life) in [(false, Int64(1_800_000)), (true, 1_209_600_000)] {
      let token = try await signIn.signIn(attempt(keep: keep), now: now)
      #expect(token.expires == now + life)
      #expect(token.text.utf8.count == 43)
      #expect(try user(token.text, at: now + life - 1) == ann.id)
      #expect(try user(token.text, at: now + life) == nil)
    }
    // Names are the same in upper and lower case.
    _ = try await signIn.signIn(attempt("ANN"), now: now)
    #expect(try accounts.webSessions(ofUser: "ann").count == 3)
  }

  @Test func `all that is wrong gets one answer`() async throws {
    try accounts.addUser(NewUser(name: "out", password: "correct horse"), now: now)
    try accounts.setDisabled(true, userNamed: "out")
    let long = String(repeating: "a", count: 10_000)
    let attempts = [
      attempt("nobody"), attempt("ann", "Correct horse"), attempt("ann", ""), attempt("", ""),
      attempt("bot"), attempt("bot", ""), attempt("out"), attempt("ann", long), attempt(long),
      attempt("ann'--"), attempt("ann\0"),
    ]
    for (place, attempt) in attempts.enumerated() {
      await #expect(throws: SignInFailure.refused, "number \(place)") {
        try await signIn.signIn(attempt, now: now + Int64(place) * 60_000)
      }
    }
    await #expect(throws: SignInFailure.unknownPage) {
      try await signIn.signIn(attempt(page: "0"), now: now + 3_600_000)
    }
    #expect(try accounts.webSessions(ofUser: "ann").isEmpty)
  }

  @Test func `attempts at one name are limited, whether there is such a user or not`() async throws
  {
    for name in ["ann", "nobody"] {
      // Each from an address of its own.
      for number in 0..<10 {
        await #expect(throws: SignInFailure.refused) {
          try await signIn.signIn(
            attempt(name, "guess", address: "\(name) \(number)"), now: now)
        }
      }
      await #expect(throws: SignInFailure.tooMany(retryAfter: 30)) {
        try await signIn.signIn(attempt(name, address: "192.0.2.9"), now: now)
      }
    }
    let token = try await signIn.signIn(attempt(), now: now + 30_000)
    #expect(try user(token.text, at: now + 30_000) != nil)
  }

  @Test func `attempts from one address are limited, whatever the name`() async throws {
    for number in 0..<30 {
      await #expect(throws: SignInFailure.refused) {
        try await signIn.signIn(attempt("user\(number)"), now: now)
      }
    }
    await #expect(throws: SignInFailure.tooMany(retryAfter: 3)) {
      try await signIn.signIn(attempt(), now: now)
    }
    _ = try await signIn.signIn(attempt(address: "192.0.2.2"), now: now)
  }

  @Test func `of a crowd few wait, and the others are told to come again`() async throws {
    let limitless = try SignIn(accounts, limits: RateLimits([:]))
    let answers = await withTaskGroup(of: String.self) { group in
      for _ in 0..<200 {
        group.addTask {
          do throws(SignInFailure) {
            _ = try await limitless.signIn(attempt("ann", "wrong"), now: now)
            return "in"
          } catch { return "\(error)" }
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers.isSubset(of: ["refused", "tooMany(retryAfter: 1)"]))
    #expect(answers.contains("refused"))
    // Nobody is left waiting.
    _ = try await limitless.signIn(attempt(), now: now)
  }

  @Test func `another password ends what the old one began`() async throws {
    let token = try await signIn.signIn(attempt(), now: now)
    try accounts.setPassword("battery staple", ofUser: "ann")
    #expect(try user(token.text, at: now) == nil)
    await #expect(throws: SignInFailure.refused) { try await signIn.signIn(attempt(), now: now) }
    let newer = try await signIn.signIn(attempt("ann", "battery staple"), now: now)
    #expect(try user(newer.text, at: now) != nil)
  }

  @Test func `use prolongs a token in its second half, up to ninety days in all`() async throws {
    let token = try await signIn.signIn(attempt(), now: now)
    let half = AccessLimits.sessionLife / 2
    func renew(_ time: Int64) throws -> Int64? {
      #expect(try authentication.renewed(token.text, in: .notes, now: time) == token.text)
      authentication.flush()
      return try accounts.webSessions(ofUser: "ann").first?.expires
    }
    #expect(try renew(now + half) == now + 2 * half)
    #expect(try renew(now + half + 1) == now + 3 * half + 1)
    // Another process sees it, and this one has it in memory.
    #expect(try user(token.text, at: now + 3 * half) != nil)

    var time = now + half + 1
    let last = now + AccessLimits.sessionTotalMax
    while let expires = try renew(time), expires < last { time = expires - 1 }
    #expect(try renew(time) == last)
    #expect(try user(token.text, at: last - 1) != nil)
    #expect(try user(token.text, at: last) == nil)
    #expect(try authentication.renewed(token.text, in: .notes, now: last) == nil)
  }

  @Test func `a token for a program is not prolonged, and one for elsewhere is not renewed`() throws
  {
    let token = try accounts.addWebToken(userNamed: "bot", in: .notes, life: 1000, now: now)
    #expect(try authentication.renewed(token.text, in: .notes, now: now + 999) == token.text)
    authentication.flush()
    #expect(try accounts.webSessions(ofUser: "bot").map(\.expires) == [now + 1000])
    #expect(try authentication.renewed(token.text, in: .trips, now: now) == nil)
    #expect(try authentication.renewed("", in: .notes, now: now) == nil)
  }

  @Test func `a prolonged life does not bring a revoked token back`() async throws {
    let token = try await signIn.signIn(attempt(), now: now)
    let time = now + AccessLimits.sessionLife - 1
    _ = try authentication.renewed(token.text, in: .notes, now: time)
    try accounts.signOutEverywhere(userNamed: "ann")
    authentication.flush()
    #expect(try user(token.text, at: time) == nil)
    #expect(try accounts.webSessions(ofUser: "ann").isEmpty)
  }

  /// What can happen to the user while the password is compared.
  private static let meanwhile: [String: @Sendable (AccountFile) throws -> Void] = [
    "password": { try $0.setPassword("battery staple", ofUser: "ann") },
    "disabled": { try $0.setDisabled(true, userNamed: "ann") },
    "removed": { try $0.removeUser(named: "ann") },
  ]

  @Test(arguments: ["password", "disabled", "removed"])
  func `what happens to a user while the password is compared is not passed over`(
    name: String
  ) async throws {
    let other = try folder.open(.seeded(4))
    let change = try #require(Self.meanwhile[name])
    let next = Shared<(@Sendable (AccountFile) throws -> Void)?>(nil)
    let source = RandomBytes.seeded(3)
    // A token's bytes are asked for after the hash was compared and before the token is written.
    let slow = try folder.open(
      RandomBytes { count in
        let act = next.value.withLock { next in
          defer { next = nil }
          return next
        }
        try? act?(other)
        return try? source.bytes(count)
      })
    let signIn = try SignIn(slow)
    _ = try await signIn.signIn(attempt(), now: now)
    try accounts.signOutEverywhere(userNamed: "ann")
    next.value.withLock { $0 = change }
    await #expect(throws: SignInFailure.refused) { try await signIn.signIn(attempt(), now: now) }
    #expect(next.value.withLock { $0 == nil })
    #expect(try accounts.webSessions(ofUser: "ann").isEmpty)
  }

  @Test func `signing out ends one token, and with a made-up one costs others nothing`()
    async throws
  {
    let tokens = [
      try await signIn.signIn(attempt(), now: now), try await signIn.signIn(attempt(), now: now),
    ]
    let generation = try accounts.currentGeneration(now: now)
    for text in ["", "made up", String(repeating: "A", count: 43)] { try accounts.signOut(text) }
    #expect(try accounts.currentGeneration(now: now) == generation)
    try accounts.signOut(tokens[0].text)
    #expect(try user(tokens[0].text, at: now) == nil)
    #expect(try user(tokens[1].text, at: now) != nil)
  }
}
