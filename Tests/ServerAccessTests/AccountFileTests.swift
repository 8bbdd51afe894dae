import Foundation
import SQLiteDriver
import Testing

@testable import ServerAccess

@Suite struct `The file of accounts` {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func code(_ body: () throws -> Void) -> AccountError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? AccountError)?.code }
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `nobody but its owner reads the file, and what SQLite puts beside it`() throws {
    let accounts = try folder.open()
    try accounts.addUser(NewUser(name: "ann", password: "correct horse"), now: now)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["accounts.sqlite", "accounts.sqlite-shm", "accounts.sqlite-wal"])
    for name in names { #expect(try mode("\(folder.path)/\(name)") == 0o600, "\(name)") }
  }

  @Test func `a file that others could read is taken from them`() throws {
    _ = try folder.open()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file)
    _ = try folder.open()
    #expect(try mode(folder.file) == 0o600)
  }

  @Test func `no secret is in the file`() throws {
    let accounts = try folder.open()
    try accounts.addUser(NewUser(name: "ann", password: "correct horse"), now: now)
    let texts = [
      try accounts.addAPIToken(NewAPIToken(name: "web", place: .notes), now: now).text,
      try accounts.addManagementToken(name: "ci", container: nil, scope: .read, now: now).text,
      try accounts.addWebToken(userNamed: "ann", in: .notes, life: 1000, now: now).text,
    ]
    var bytes: [UInt8] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      bytes += try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    }
    let secrets =
      texts.map { Array($0.utf8) } + [Array("correct horse".utf8)]
      + [HexText.bytes(texts[0].utf8), Base64Text.bytes(texts[2].utf8, .tolerant)].compactMap { $0 }
    #expect(secrets.count == 6)
    for secret in secrets { #expect(bytes.firstRange(of: secret) == nil) }
    // The search itself works: names are there.
    #expect(bytes.firstRange(of: Array("ann".utf8)) != nil)
  }

  @Test func `what is no file of accounts is left alone`() throws {
    try Data("Dear diary, this is no database, and it is long enough to be looked at.".utf8)
      .write(to: URL(fileURLWithPath: folder.file))
    #expect(code { _ = try folder.open() } == .notAnAccountFile)

    let other = folder.path + "/other.sqlite"
    try Connection(.file(other)).execute("CREATE TABLE t (x)")
    #expect(code { _ = try AccountFile(at: other) } == .notAnAccountFile)
    #expect(code { _ = try AccountFile(at: folder.path) } == .cannotOpen)
    #expect(code { _ = try AccountFile(at: "") } == .cannotOpen)
    #expect(
      code { _ = try AccountFile(at: folder.path + "/absent/accounts.sqlite") } == .cannotOpen)
  }

  @Test func `a file of a newer version is left alone`() throws {
    _ = try folder.open()
    try Connection(.file(folder.file)).setPragma("user_version", to: 2)
    let error = #expect(throws: AccountError.self) { try folder.open() }
    #expect(
      error?.description == """
        \(folder.file): has format 2, and this version reads up to 1 [newerFormat]; open it with the \
        newer version that made it
        """)
  }

  @Test(arguments: [
    "DROP TABLE access_fact", "DELETE FROM access_fact", "UPDATE access_fact SET value = 'x'",
    "DELETE FROM access_fact WHERE name = 'generation'",
  ])
  func `a damaged file is refused`(damage: String) throws {
    _ = try folder.open()
    try Connection(.file(folder.file)).execute(damage)
    #expect(code { _ = try folder.open() } == .damaged)
  }

  @Test func `pages of rubbish are refused, or read as errors`() throws {
    do {
      let accounts = try folder.open()
      for number in 0..<200 {
        _ = try accounts.addAPIToken(NewAPIToken(name: "\(number)", place: .notes), now: now)
      }
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file))
    #expect(bytes.count > 8192)
    for place in 4096..<bytes.count { bytes[place] = 0xa5 }
    try bytes.write(to: URL(fileURLWithPath: folder.file))
    #expect(
      code {
        let accounts = try folder.open()
        _ = try accounts.apiTokens()
      } == .damaged)
  }

  @Test func `all that was added is listed, also after the file is opened again`() throws {
    let ann = NewUser(
      name: "ann", givenName: "Ann", familyName: "Ng", email: "ann@example.org",
      password: "correct horse")
    do {
      let accounts = try folder.open()
      try accounts.addUser(ann, now: now)
      try accounts.addUser(NewUser(name: "bot", password: nil), now: now + 1)
      _ = try accounts.addAPIToken(
        NewAPIToken(
          name: "web", place: .notes, origins: .only(["HTTPS://Notes.example.org:443/"]),
          callback: .address("https://notes.example.org/in?a=b"), notes: "the site"), now: now)
      _ = try accounts.addAPIToken(NewAPIToken(name: "app", place: .trips), now: now + 1)
      _ = try accounts.addServerKey(
        name: "job", in: .notes, publicKeyPEM: SignedByOpenSSL.publicKey, now: now)
      _ = try accounts.addManagementToken(
        name: "ci", container: "iCloud.org.example.notes", scope: .write, now: now)
      try accounts.setRoles(["editor", "admin"], ofUser: "ann", in: .notes)
    }
    // Another source of random bytes: nothing of it is in what is read.
    let accounts = try folder.open(.seeded(2))
    let users = try accounts.users()
    #expect(
      users.map(\.name) == ["ann", "bot"] && users.map(\.hasPassword) == [true, false]
        && users.map(\.created) == [now, now + 1] && users[0].email == "ann@example.org"
        && users[0].givenName == "Ann" && users[0].familyName == "Ng")
    #expect(try accounts.user(named: "ANN") == users[0])
    #expect(try accounts.user(id: users[1].id) == users[1])
    #expect(try accounts.users(email: "Ann@Example.org") == [users[0]])
    #expect(try accounts.users(email: "") == [])
    #expect(try accounts.roles(ofSubject: users[0].id, in: .notes) == ["editor", "admin"])
    #expect(try accounts.roles(ofSubject: users[0].id, in: .trips) == [])

    let tokens = try accounts.apiTokens()
    #expect(
      tokens.map { [$0.name, $0.notes, $0.place.description] } == [
        ["web", "the site", "iCloud.org.example.notes/production"],
        ["app", "", "iCloud.org.example.trips/production"],
      ])
    #expect(tokens[0].origins == .only(["https://notes.example.org"]))
    #expect(tokens[0].callback == .address("https://notes.example.org/in?a=b"))
    #expect(tokens[1].origins == .any && tokens[1].callback == .postMessage)
    #expect(try accounts.apiTokens(in: .trips) == [tokens[1]])
    #expect(try accounts.apiToken(id: tokens[1].id) == tokens[1])

    let keys = try accounts.serverKeys()
    #expect(keys.map(\.name) == ["job"] && keys[0].id.utf8.count == 64 && keys[0].place == .notes)
    #expect(try accounts.serverKeys(in: .trips) == [])
    let management = try accounts.managementTokens()
    #expect(
      management.map(\.name) == ["ci"] && management[0].scope == .write
        && management[0].container == "iCloud.org.example.notes"
        && management[0].expires == now + 365 * 86_400_000)
  }

  @Test func `what is not there cannot be changed`() throws {
    let accounts = try folder.open()
    let changes: [() throws -> Void] = [
      { try accounts.setPassword("correct horse", ofUser: "ann") },
      { try accounts.setDisabled(true, userNamed: "ann") },
      { try accounts.removeUser(named: "ann") },
      { try accounts.setRoles([], ofUser: "ann", in: .notes) },
      { try accounts.setRoles([], ofServerKey: "0") },
      { try accounts.signOutEverywhere(userNamed: "ann") },
      { _ = try accounts.addWebToken(userNamed: "ann", in: .notes, life: 1, now: now) },
      { try accounts.revokeAPIToken(id: "0") },
      { try accounts.revokeServerKey(id: "0") },
      { try accounts.revokeManagementToken(id: "0") },
      { try accounts.revokeWebSession(id: "0") },
    ]
    for change in changes { #expect(code(change) == .unknown) }
  }

  @Test func `what makes no sense is refused before anything is written`() throws {
    let accounts = try folder.open()
    try accounts.addUser(NewUser(name: "ann", password: nil), now: now)
    let long = String(repeating: "a", count: 256)
    func user(_ name: String, _ password: String? = nil) -> () throws -> Void {
      { _ = try accounts.addUser(NewUser(name: name, password: password), now: now) }
    }
    func token(_ token: NewAPIToken) -> () throws -> Void {
      { _ = try accounts.addAPIToken(token, now: now) }
    }
    func management(_ life: Int64) -> () throws -> Void {
      {
        _ = try accounts.addManagementToken(
          name: "x", container: nil, scope: .read, life: life, now: now)
      }
    }
    let bad = ContainerPlace(container: "../etc", environment: "production")
    let refusals: [(AccountError.Code, () throws -> Void)] = [
      (.nameTaken, user("ANN")), (.invalidName, user("")), (.invalidName, user(long)),
      (.invalidName, user("a b")), (.invalidName, user("a\u{202e}b")),
      (.invalidName, user("a\nb")), (.invalidPassword, user("bob", "short")),
      (.invalidPassword, user("bob", String(repeating: "a", count: 1025))),
      (.invalidPassword, { try accounts.setPassword("short", ofUser: "ann") }),
      (.invalidName, token(NewAPIToken(name: "", place: .notes))),
      (.invalidName, token(NewAPIToken(name: "x", place: bad))),
      (.invalidOrigin, token(NewAPIToken(name: "x", place: .notes, origins: .only(["*"])))),
      (.invalidCallback, token(NewAPIToken(name: "x", place: .notes, callback: .address("x")))),
      (.invalidName, { try accounts.setRoles(["_icloud"], ofUser: "ann", in: .notes) }),
      (.invalidName, { try accounts.setRoles(["a\0"], ofUser: "ann", in: .notes) }),
      (
        .tooMany,
        { try accounts.setRoles(Set((0..<101).map { "r\($0)" }), ofUser: "ann", in: .notes) }
      ),
      (.invalidLife, management(0)), (.invalidLife, management(-1)),
      (.invalidLife, management(.max)),
      (
        .invalidLife,
        { _ = try accounts.addWebToken(userNamed: "ann", in: .notes, life: 0, now: now) }
      ),
    ]
    for (place, (expected, change)) in refusals.enumerated() {
      #expect(code(change) == expected, "number \(place)")
    }
    #expect(try accounts.users().count == 1)
    #expect(try accounts.apiTokens().isEmpty && accounts.managementTokens().isEmpty)
  }

  @Test func `a user has so many web tokens, and those that end first go first`() throws {
    let accounts = try folder.open()
    try accounts.addUser(NewUser(name: "ann", password: nil), now: now)
    for number in 1...(AccessLimits.sessionsPerUserMax + 5) {
      _ = try accounts.addWebToken(
        userNamed: "ann", in: .notes, life: Int64(number) * 1000, now: now)
    }
    let ends = try accounts.webSessions(ofUser: "ann").map(\.expires)
    #expect(ends == (6...(AccessLimits.sessionsPerUserMax + 5)).map { now + Int64($0) * 1000 })
    // Those that have ended go when the next is made.
    _ = try accounts.addWebToken(userNamed: "ann", in: .notes, life: 1, now: now + 100_000)
    #expect(try accounts.webSessions(ofUser: "ann").first?.expires == now + 100_001)
  }

  @Test func `two who write at once wait for each other`() async throws {
    let first = try folder.open(.seeded(1))
    let second = try folder.open(.seeded(2))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (name, accounts) in [("a", first), ("b", second)] {
        group.addTask {
          for number in 0..<20 {
            try accounts.addUser(NewUser(name: "\(name)\(number)", password: nil), now: now)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try first.users().count == 40)
    #expect(try first.users() == second.users())
  }
}
