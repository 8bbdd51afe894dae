import Testing

@testable import ServerAccess

/// Attempts drawn by a seed, answered by the module and by a few lines that know all secrets.
@Suite struct `Random authentications` {
  /// What the oracle knows of a token.
  private struct Known {
    var text: String
    var id: String
    var place: ContainerPlace
    /// The user, of a web token; nil for an API token.
    var user: String?
    var expires = Int64.max
    var isRevoked = false
  }

  private static let places: [ContainerPlace] = [.notes, .notesDevelopment, .trips]
  private static let stepsMax = 2000

  @Test(arguments: [UInt64(1), 20_261_122])
  func `agree with an oracle that remembers everything`(seed: UInt64) throws {
    var draw = Splitmix(state: seed)
    let folder = try Folder()
    let daemon = Authentication(try folder.open(.seeded(seed)))
    let command = try folder.open(.seeded(seed &+ 1))
    var time = now
    var shutOut: Set<String> = []
    var apiTokens: [Known] = []
    var webTokens: [Known] = []
    let users = try (0..<4).map { number in
      try command.addUser(NewUser(name: "user\(number)", password: nil), now: now)
    }
    var outcomes: [String: Int] = [:]

    for step in 0..<Self.stepsMax {
      // What is taken away holds after a second, so a second passes before the next attempt.
      switch Int.random(in: 0..<20, using: &draw) {
      case 0:
        let place = Self.places[Int.random(in: 0..<3, using: &draw)]
        let token = try command.addAPIToken(NewAPIToken(name: "t", place: place), now: time)
        apiTokens.append(Known(text: token.text, id: token.id, place: place))
      case 1, 2:
        let place = Self.places[Int.random(in: 0..<3, using: &draw)]
        let user = users[Int.random(in: 0..<4, using: &draw)]
        let token = try command.addWebToken(
          userNamed: user.name, in: place, life: Int64.random(in: 1...600_000, using: &draw),
          now: time)
        webTokens.append(
          Known(
            text: token.text, id: token.id, place: place, user: user.id,
            expires: token.expires ?? .max))
      case 3 where Int.random(in: 0..<3, using: &draw) == 0:
        guard let place = apiTokens.indices.randomElement(using: &draw),
          !apiTokens[place].isRevoked
        else { continue }
        try command.revokeAPIToken(id: apiTokens[place].id)
        apiTokens[place].isRevoked = true
        time += 1000
      case 4:
        let user = users[Int.random(in: 0..<4, using: &draw)]
        let isOut = Int.random(in: 0..<4, using: &draw) == 0
        try command.setDisabled(isOut, userNamed: user.name)
        if isOut {
          shutOut.insert(user.id)
          for place in webTokens.indices where webTokens[place].user == user.id {
            webTokens[place].isRevoked = true
          }
        } else {
          shutOut.remove(user.id)
        }
        time += 1000
      default: break
      }
      time += Int64.random(in: 0...1500, using: &draw)

      let api = apiTokens.suffix(6).randomElement(using: &draw)
      let web = Bool.random(using: &draw) ? webTokens.suffix(8).randomElement(using: &draw) : nil
      let isForged = Int.random(in: 0..<8, using: &draw) == 0
      let place = api.map(\.place) ?? .notes
      let asked = Int.random(in: 0..<4, using: &draw) == 0 ? Self.places[0] : place
      let scope = AccessScope.allCases[Int.random(in: 0..<4, using: &draw)]
      let credentials = Credentials(
        apiToken: api?.text, webToken: web.map { isForged ? Self.forged($0.text) : $0.text })

      let expected: String
      if let api, !api.isRevoked, api.place == asked {
        if let web {
          let isGood =
            !isForged && !web.isRevoked && web.place == asked && time < web.expires
            && !shutOut.contains(web.user ?? "")
          expected = isGood ? "user \(web.user ?? "")" : "AUTHENTICATION_REQUIRED"
        } else {
          expected = scope == .everyone ? "anonymous" : "AUTHENTICATION_REQUIRED"
        }
      } else {
        expected = "AUTHENTICATION_FAILED"
      }
      let found: String
      do throws(AccessFailure) {
        let caller = try daemon.authenticate(credentials, in: asked, scope: scope, now: time)
        found = caller.userID.map { "user \($0)" } ?? "\(caller.kind)"
      } catch { found = error.serverErrorCode }
      #expect(found == expected, "seed \(seed), step \(step)")
      outcomes[String(expected.prefix(4)), default: 0] += 1
    }
    // All answers came up, so that the agreement means something.
    #expect(
      outcomes.keys.sorted() == ["AUTH", "anon", "user"] && outcomes.values.allSatisfy { $0 > 50 })
  }

  private static func forged(_ text: String) -> String {
    (text.hasPrefix("A") ? "B" : "A") + text.dropFirst()
  }
}
