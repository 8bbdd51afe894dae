import SchemaGenerator
import JSONStream
import RecordServer
import RecordWire
import Testing

@testable import RecordServerHTTP

/// Thousands of attempts by all kinds of callers at all kinds of things, held against an oracle.
@Suite struct AccessTests {
  @Test(arguments: [UInt64(20_261_122), 7])
  func `nothing is read or written that should not be, and all that should be is`(
    seed: UInt64
  ) async throws {
    let world = try await AccessWorld(seed: seed)
    var log = AttemptLog()
    for number in 0..<Self.attempts {
      if number == Self.attempts / 2 { try world.removeEve() }
      if number % 12 == 0 { try world.changeSomething() }
      // Longer than other processes' changes may be unknown for.
      world.clock.advance(seconds: Int64(2 + world.draw.below(3)))
      let found = try await world.tryOnce(&log)
      if let complaint = found {
        Issue.record("seed \(seed), attempt \(number): \(complaint)")
        return
      }
      if number % 500 == 499 {
        let differences = try await world.differences()
        #expect(differences == [], "seed \(seed), after attempt \(number)")
        if !differences.isEmpty { return }
      }
    }
    // Each kind of answer has come up, so that the agreement means something.
    print("seed \(seed):", log.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
    for word in AttemptLog.expected { #expect((log.counts[word] ?? 0) >= 5, "\(word)") }
  }

  /// So many for each of two seeds.
  private static let attempts = 5000
}

/// How often which answer came.
struct AttemptLog {
  static let expected = [
    "401 AUTHENTICATION_FAILED", "421 AUTHENTICATION_REQUIRED", "403 ACCESS_DENIED",
    "404 ZONE_NOT_FOUND", "400 BAD_REQUEST", "404 NOT_FOUND", "ACCESS_DENIED", "NOT_FOUND",
    "EXISTS",
    "CONFLICT", "ATOMIC_ERROR", "BAD_REQUEST", "ZONE_NOT_FOUND", "secret", "shown", "deleted",
    "place", "receipt", "file", "feed", "person", "ok", "stream",
  ]

  private(set) var counts: [String: Int] = [:]

  mutating func add(_ words: [String]) {
    for word in words { counts[Self.kind(word), default: 0] += 1 }
  }

  /// The word without what differs from answer to answer.
  private static func kind(_ word: String) -> String {
    if word.hasPrefix("secret-") { return word.hasSuffix("+file") ? "file" : "secret" }
    if word.hasPrefix("_") && word != Spot.standardZone { return "person" }
    return word.contains(": secret-") ? "feed" : word
  }
}

extension AccessWorld {
  /// Makes one attempt; what is wrong with its answer, or nil.
  func tryOnce(_ log: inout AttemptLog) async throws -> String? {
    let half = draw.pick(Half.all, or: Half.all[0])
    switch draw.below(20) {
    case 0, 3:
      guard let attempt = try await AccessOtherRoutes.file(self) else { return nil }
      let answer = try await send(attempt.method, attempt.path, body: attempt.body)
      return judge(attempt, answer, &log)
    case 1:
      let (attempt, token) = AccessOtherRoutes.management(self)
      let headers = token.map { [("Authorization", "Bearer \($0.text)")] } ?? []
      let answer = try await send(attempt.method, attempt.path, headers, body: attempt.body)
      return judge(attempt, answer, &log)
    case 2:
      let (attempt, scope) = AccessOtherRoutes.extra(self, half)
      return try await tryOnce(attempt, half, scope, drawCredentials(for: half), &log)
    default: return try await tryOperation(half, &log)
    }
  }

  private func tryOperation(_ half: Half, _ log: inout AttemptLog) async throws -> String? {
    let row = AccessOperations.rows[draw.below(AccessOperations.rows.count)]
    let database =
      draw.oneIn(8)
      ? draw.pick(["public", "private", "shared"], or: "public")
      : pick(row.databases.subtracting(draw.oneIn(4) ? [] : ["shared"]).sorted()) ?? "public"
    let credentials = drawCredentials(for: half)
    let scope = row.path.hasPrefix("users/") ? "users" : database
    var asker = Asker(recordName: recordNames[half]?["ann"], roles: [])
    if case .letIn(let known) = admission(credentials, half, scope: scope) { asker = known }
    var attempt = row.make(
      AttemptContext(world: self, half: half, database: database, asker: asker))
    if !row.databases.contains(database) { attempt.refuse("400 BAD_REQUEST") }
    return try await tryOnce(attempt, half, scope, credentials, &log)
  }

  private func tryOnce(
    _ attempt: AccessAttempt, _ half: Half, _ scope: String, _ credentials: AccessCredentials,
    _ log: inout AttemptLog
  ) async throws -> String? {
    var attempt = attempt
    let admission = admission(credentials, half, scope: scope)
    if case .refused(let answer) = admission { attempt.refuse(answer) }
    let answer = try await send(
      attempt.method, attempt.path, credentials, body: attempt.body)
    return judge(attempt, answer, &log).map { "\($0)\nas \(admission)" }
  }

  private func judge(
    _ attempt: AccessAttempt, _ answer: SiteAnswer, _ log: inout AttemptLog
  ) -> String? {
    let tree = try? JSONValue(reading: answer.body)
    var words = AnswerSummary.words(answer, tree)
    // Who starts without a token may be told of zones that are gone, or not.
    if attempt.kind == "changes/database" || attempt.kind == "zones/changes" {
      words.removeAll { $0.hasSuffix(" deleted") }
    }
    let isAsExpected =
      attempt.isUnordered ? words.sorted() == attempt.expected.sorted() : words == attempt.expected
    let leaked = Self.secrets(in: answer.body).subtracting(attempt.secrets)
    let people = Self.accounts.filter { answer.body.contains("\($0)@example.org") }
    guard isAsExpected, leaked.isEmpty, attempt.people.isSuperset(of: people) else {
      return """
        \(attempt.method) \(attempt.path) \(attempt.body)
        expected \(attempt.expected), found \(words), leaked \(leaked.sorted()) \(people)
        \(answer.body.prefix(2000))
        """
    }
    log.add(words)
    if let tree, answer.status == 200 {
      for (effect, element) in zip(attempt.effects, AnswerSummary.elements(tree)) {
        effect?(self, element)
      }
    }
    return nil
  }

  /// The numbers of the secrets in a text.
  private static func secrets(in text: String) -> Set<Int> {
    Set(
      text.split(separator: "secret-").dropFirst(text.hasPrefix("secret-") ? 0 : 1).compactMap {
        Int($0.prefix { $0.isNumber })
      })
  }
}

extension AccessAttempt {
  /// Expects the whole of it to be refused.
  mutating func refuse(_ answer: String) {
    expected = [answer]
    effects = []
    secrets = []
    people = []
  }
}

// What the storages have, against what the oracle thinks.
extension AccessWorld {
  /// Every record that is there and should not be, or is not as it should be.
  func differences() async throws -> [String] {
    var found: [String] = []
    for half in Half.all {
      let askers = keys.filter { $0.half == half }.compactMap(\.asker.recordName)
      let owners = [""] + (recordNames[half] ?? [:]).values.sorted() + askers
      var there: [Spot: [String: String]] = [:]
      for owner in owners {
        for (spot, records) in try await dump(half, owner) { there[spot] = records }
      }
      let known = model.records.filter { $0.key.half == half }
      for spot in Set(there.keys).union(known.keys) {
        let expected = (known[spot] ?? [:]).mapValues(\.stored)
        for name in Set((there[spot] ?? [:]).keys).union(expected.keys) {
          let (stored, wanted) = (there[spot]?[name], expected[name])
          if stored != wanted {
            found.append("\(spot)/\(name): \(stored ?? "-") in place of \(wanted ?? "-")")
          }
        }
      }
    }
    return found.sorted()
  }

  private func dump(_ half: Half, _ owner: String) async throws -> [Spot: [String: String]] {
    let database: DatabaseKey = owner.isEmpty ? .everyone : .user(owner)
    guard let storage = storage(half) else { return [:] }
    return try await storage.read { transaction in
      var found: [Spot: [String: String]] = [:]
      for zone in try transaction.zones(of: database, after: 0, limit: .max) where !zone.isDeleted {
        let rows = try transaction.changes(
          of: zone.key, after: 0, upTo: .max, order: .oldestFirst,
          limit: PageLimit(records: .max), withTombstones: false
        ).rows
        let spot = Spot(half: half, owner: owner, zone: zone.key.name)
        for row in rows { found[spot, default: [:]][row.name] = try Self.stored(row) }
      }
      return found
    }
  }

  private static func stored(_ row: RecordRow) throws -> String {
    let fields = try JSONValue(reading: row.fields.json)
    let secret = fields["secret"]?["value"]?.string ?? "shown"
    let file = fields["file"] == nil ? "" : "+file"
    return "\(row.type) by \(row.created.userRecordName ?? "-"): \(secret)\(file)"
  }
}

extension KnownRecord {
  /// The record as a dump has it.
  fileprivate var stored: String { "\(type) by \(creator ?? "-"): \(shown)" }
}
