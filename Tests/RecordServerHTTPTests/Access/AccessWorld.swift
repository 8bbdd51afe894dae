import AssetFiles
import HTTPServer
import RecordServer
import RecordWire
import SchemaGenerator
import ServerAccess
import Synchronization

@testable import RecordServerHTTP

/// A site with two containers in both of their environments, with users, tokens and keys for each, and
/// what the oracle knows of all that.
final class AccessWorld {
  struct APIToken {
    var text: String
    var id: String
    var half: Half
    /// The only origins whose pages may use it; nil for any.
    var origins: [String]?
    var isRevoked = false
  }

  struct Session {
    var text: String
    var id: String
    var account: String
    var half: Half
    var ends: Int64
    var isRevoked = false
  }

  struct Key {
    var id: String
    var half: Half
    var pair: SigningKey
    var asker: Asker
    var isRevoked = false
  }

  struct ManagementToken {
    var text: String
    var container: String?
    var mayWrite: Bool
    var ends: Int64
  }

  /// The permission to send or fetch a file, which is an address.
  struct Place {
    var url: String
    var half: Half
    var owner: String
    var user: String?
    var ends: Int64
    /// What is in the file, for one to be fetched.
    var number: Int?
  }

  static let base = "http://records.example.org"
  static let accounts = ["ann", "bob", "cat", "dan", "eve"]
  static let roles = ["editor", "auditor"]

  let folder: ScratchFolder
  let clock = TestClock()
  let file: AccountFile
  let authentication: Authentication
  let site: RecordSite
  let hosts: [String: ContainerHost]
  var draw: SeededGenerator
  var model = AccessModel(grants: AccessSchema.grants)
  var apiTokens: [APIToken] = []
  var sessions: [Session] = []
  var keys: [Key] = []
  var managementTokens: [ManagementToken] = []
  var places: [Place] = []
  var receipts: [TriedFile] = []
  /// The record names of accounts by half.
  var recordNames: [Half: [String: String]] = [:]
  var rolesOfAccounts: [Half: [String: Set<String>]] = [:]
  var shutOut: Set<String> = []
  private var secrets = 0
  private var requests: UInt64 = 0

  init(seed: UInt64) async throws {
    draw = SeededGenerator(seed: seed)
    let folder = try ScratchFolder()
    self.folder = folder
    let clock = clock
    let random = Mutex(SeededGenerator(seed: seed &+ 1))
    let file = try AccountFile(
      at: folder.file("accounts.sqlite"),
      random: RandomBytes { count in
        random.withLock { random in
          (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
      }, passwordCost: PasswordCost(logN: 4))
    let authentication = Authentication(file)
    (self.file, self.authentication) = (file, authentication)
    let seal = try Seal(key: file.derivedKey(for: "assets")).unwrapped()
    var hosts: [String: ContainerHost] = [:]
    for (index, name) in ["iCloud.one", "iCloud.two"].enumerated() {
      func storage(_ half: String, _ epoch: Int) throws -> ContainerHost.Storage {
        .init(
          MemoryStorage(epoch: UInt64(epoch)), files: try AssetFolder(at: folder.file(name + half)))
      }
      hosts[name] = ContainerHost(
        name, development: try storage("d", index * 2 + 1),
        production: try storage("p", index * 2 + 2),
        assets: AssetSetting(container: name, seal: seal, places: AssetPlaces(baseURL: Self.base)))
    }
    self.hosts = hosts
    let numbers = Mutex<UInt64>(0)
    site = RecordSite(
      ContainerDirectory(Array(hosts.values)),
      access: SiteAccess(
        authentication, signIn: try SignIn(file), requests: RateLimits([:]),
        refusals: RateLimits([:])),
      SiteConfiguration(publicURL: Self.base),
      sources: SiteSources(
        milliseconds: { clock.milliseconds }, microseconds: { clock.milliseconds * 1000 },
        random: {
          numbers.withLock { number in
            number += 1
            return number
          }
        }),
      log: ServerLog(.error, .json, milliseconds: { clock.milliseconds }, write: { _ in }))
    try addAccounts()
    // The records first: an import fills the indexes with what is there.
    try await plantRecords()
    try await promoteSchemas()
    for host in hosts.values {
      try await host.development.fillIndexes()
      try await host.production.fillIndexes()
    }
  }

  var now: Int64 { clock.milliseconds }

  /// A number that no secret has had.
  func nextSecret() -> Int {
    secrets += 1
    return secrets
  }

  /// The text with the number of a secret.
  static func text(_ secret: Int) -> String { "secret-\(secret)-" }

  /// Hands a request to the site, as the server does once it has read it.
  func send(
    _ method: String, _ target: String, _ headers: [(String, String)] = [], body: String = ""
  ) async throws -> SiteAnswer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: records.example.org\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    var parser = RequestParser(limits: HTTPLimits())
    var offset = 0
    let bytes = Array((head + "\r\n").utf8)
    guard case .head(let read) = parser.next(bytes.span, at: &offset) else {
      throw Optional<Int>.NothingThere()
    }
    requests += 1
    let response = await site.handler.respond(
      HTTPRequest(
        head: read, body: Array(body.utf8), remoteAddress: .ipv4(0x7F00_0001, port: 1),
        id: requests, isSecure: false))
    return SiteAnswer(response)
  }
}

/// What a site has answered.
struct SiteAnswer {
  let status: Int
  let body: String

  init(_ response: HTTPResponse) {
    status = response.status.rawValue
    if case .bytes(let bytes) = response.body {
      body = String(decoding: bytes, as: UTF8.self)
    } else {
      body = "stream"
    }
  }
}

// What there is before the first attempt.
extension AccessWorld {
  private func addAccounts() throws {
    for name in Self.accounts {
      let user = try file.addUser(
        NewUser(name: name, givenName: name, email: "\(name)@example.org", password: nil), now: now)
      for half in Half.all {
        recordNames[half, default: [:]][name] = try file.recordName(
          ofSubject: user.id, in: half.place)
        try setRoles(of: name, in: half)
      }
    }
    for half in Half.all {
      for origins in [nil, ["https://notes.example.org"]] { try addAPIToken(half, origins) }
      for name in Self.accounts { try addSession(of: name, in: half) }
      for roles in [Set<String>(), ["editor"]] { try addKey(half, roles) }
    }
    let ends = now + 400 * 24 * 3600 * 1000
    for container in ["iCloud.one", "iCloud.two", nil] {
      for scope in [ManagementScope.read, .write] {
        for life in [ends - now, 1000] {
          let token = try file.addManagementToken(
            name: "ci", container: container, scope: scope, life: life, now: now)
          managementTokens.append(
            ManagementToken(
              text: token.text, container: container, mayWrite: scope == .write, ends: now + life))
        }
      }
    }
  }

  func addAPIToken(_ half: Half, _ origins: [String]?) throws {
    let token = try file.addAPIToken(
      NewAPIToken(name: "app", place: half.place, origins: origins.map { .only($0) } ?? .any),
      now: now)
    apiTokens.append(APIToken(text: token.text, id: token.id, half: half, origins: origins))
  }

  func addSession(of account: String, in half: Half) throws {
    let life = Int64(600_000 + draw.below(20_000_000))
    let token = try file.addWebToken(userNamed: account, in: half.place, life: life, now: now)
    sessions.append(
      Session(text: token.text, id: token.id, account: account, half: half, ends: now + life))
  }

  func addKey(_ half: Half, _ roles: Set<String>) throws {
    let pair = try SigningKey()
    let key = try file.addServerKey(
      name: "job", in: half.place, publicKeyPEM: pair.publicPEM(), now: now)
    try file.setRoles(roles, ofServerKey: key.id)
    let name = try file.recordName(ofSubject: key.id, in: half.place)
    keys.append(
      Key(id: key.id, half: half, pair: pair, asker: Asker(recordName: name, roles: roles)))
  }

  func setRoles(of account: String, in half: Half) throws {
    let roles = Set(Self.roles.filter { _ in draw.oneIn(2) })
    try file.setRoles(roles, ofUser: account, in: half.place)
    rolesOfAccounts[half, default: [:]][account] = roles
  }

  /// Brings the schema of each container into both of its halves, over the management API.
  private func promoteSchemas() async throws {
    for container in hosts.keys.sorted() {
      let root = "/management/1/\(container)/schema"
      let token = managementTokens.first { $0.container == container && $0.mayWrite }
      let headers = [("Authorization", "Bearer \(try token.unwrapped().text)")]
      let schema = AccessSchema.request(of: container)
      for (verb, body) in [("import", schema), ("promote", #"{"accept":["write-to-world"]}"#)] {
        let answer = try await send("POST", "\(root)/\(verb)", headers, body: body)
        guard answer.status == 200 else { throw SetUpFailure(answer: answer.body) }
      }
    }
  }

  struct SetUpFailure: Error { var answer: String }

  /// Puts records into all databases past the server, also of types that nobody may make.
  private func plantRecords() async throws {
    for half in Half.all {
      let people = (recordNames[half] ?? [:]).values.sorted()
      let makers: [String?] =
        people + keys.filter { $0.half == half }.map(\.asker.recordName) + [nil]
      for number in 0..<16 {
        let type = AccessSchema.types[number % AccessSchema.types.count]
        try await plant(
          "r\(number)", type, by: draw.pick(makers, or: nil),
          Spot(half: half, owner: "", zone: Spot.standardZone))
      }
      for person in people {
        for zone in [Spot.standardZone, "z1"] {
          let spot = Spot(half: half, owner: person, zone: zone)
          if spot.isCustom { model.zones.insert(spot) }
          for number in 0..<3 { try await plant("r\(number)", "Post", by: person, spot) }
        }
      }
    }
  }

  private func plant(_ name: String, _ type: String, by creator: String?, _ spot: Spot) async throws
  {
    let secret = nextSecret()
    let stamp = RecordStamp(timestamp: now, userRecordName: creator, deviceID: "2")
    var fields = RecordFields()
    fields["secret"] = RecordField(.string(Self.text(secret)), isEncrypted: false)
    let row = RecordRow(
      name: name, type: type, created: stamp, modified: stamp, fields: try FieldBytes(fields))
    let written = try await storage(spot.half).unwrapped().write { transaction in
      if try transaction.zone(spot.key) == nil {
        _ = try transaction.createZone(spot.key, epoch: UInt64(secret))
      }
      return try transaction.write([RecordWrite(row)], in: spot.key)
    }
    model.records[spot, default: [:]][name] = KnownRecord(
      type: type, creator: creator, secret: secret, tag: written.first?.changeTag.text)
  }

  func storage(_ half: Half) -> (any RecordStorage)? {
    let host = hosts[half.container]
    return half.environment == "development" ? host?.development.storage : host?.production.storage
  }
}

extension Half {
  var place: ContainerPlace { ContainerPlace(container: container, environment: environment) }
}

extension Spot {
  var key: ZoneKey { ZoneKey(isPublic ? .everyone : .user(owner), zone) }
}
