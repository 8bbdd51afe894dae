import RecordWire
import Foundation
import JSONStream
import SchemaGenerator
import ServerAccess

@testable import RecordServerHTTP

/// What an attempt brings along to say who it is from.
struct AccessCredentials {
  /// How a signature is made.
  enum Signing: CaseIterable { case right, ofOtherBody, stale, byUnknownKey }

  var apiToken: AccessWorld.APIToken?
  /// A text in place of the API token's.
  var forgedAPIToken: String?
  var session: AccessWorld.Session?
  var forgedWebToken: String?
  var key: AccessWorld.Key?
  var signing = Signing.right
  var origin: String?
}

/// What the matrix of credentials and databases says.
enum Admission: Equatable {
  case letIn(Asker)
  /// The status and the code.
  case refused(String)

  static let failed = Admission.refused("401 AUTHENTICATION_FAILED")
  static let needsUser = Admission.refused("421 AUTHENTICATION_REQUIRED")
  static let denied = Admission.refused("403 ACCESS_DENIED")
}

extension AccessWorld {
  /// Credentials that are mostly of that half.
  func drawCredentials(for half: Half) -> AccessCredentials {
    let own = draw.oneIn(25) ? draw.pick(Half.all, or: half) : half
    var credentials = AccessCredentials()
    if draw.oneIn(6) {
      credentials.origin = draw.oneIn(2) ? "https://notes.example.org" : "https://evil.example"
    }
    if draw.oneIn(6), let key = drawOne(keys, own, isGood: { !$0.isRevoked }, \.half) {
      credentials.key = key
      credentials.signing =
        draw.oneIn(4) ? draw.pick(AccessCredentials.Signing.allCases, or: .right) : .right
      // A user's tokens beside a signature are worth nothing.
      if draw.oneIn(2) { return credentials }
    }
    if !draw.oneIn(40) {
      credentials.apiToken = drawOne(apiTokens, own, isGood: { !$0.isRevoked }, \.half)
    }
    if draw.oneIn(40) { credentials.forgedAPIToken = forged(credentials.apiToken?.text ?? "00") }
    let webHalf = draw.oneIn(20) ? draw.pick(Half.all, or: half) : half
    if !draw.oneIn(7) { credentials.session = drawOne(sessions, webHalf, isGood: isOpen, \.half) }
    if draw.oneIn(40) { credentials.forgedWebToken = forged(credentials.session?.text ?? "AA") }
    return credentials
  }

  /// A credential of that half, mostly one that is still good.
  private func drawOne<Credential>(
    _ all: [Credential], _ half: Half, isGood: (Credential) -> Bool,
    _ halfOf: (Credential) -> Half
  ) -> Credential? {
    let known = all.filter { halfOf($0) == half }
    return pick(draw.oneIn(20) ? known : known.filter(isGood))
  }

  func pick<Choice>(_ choices: [Choice]) -> Choice? {
    choices.isEmpty ? nil : choices[draw.below(choices.count)]
  }

  private func forged(_ text: String) -> String {
    (text.hasPrefix("a") ? "b" : "a") + text.dropFirst()
  }

  /// Whether the oracle lets the credentials in; `scope` is a database, or `users`.
  func admission(_ credentials: AccessCredentials, _ half: Half, scope: String) -> Admission {
    let asker: Asker
    if let key = credentials.key {
      guard key.half == half, !key.isRevoked, credentials.signing == .right else { return .failed }
      asker = key.asker
      return scope == "public" ? .letIn(asker) : .denied
    }
    guard let token = credentials.apiToken, credentials.forgedAPIToken == nil, token.half == half,
      !token.isRevoked
    else { return .failed }
    if let origins = token.origins, let origin = credentials.origin, !origins.contains(origin) {
      return .denied
    }
    if credentials.session == nil && credentials.forgedWebToken == nil {
      return scope == "public" ? .letIn(Asker()) : .needsUser
    }
    guard let session = credentials.session, credentials.forgedWebToken == nil,
      session.half == half, !session.isRevoked, now < session.ends,
      !shutOut.contains(session.account)
    else { return .needsUser }
    return .letIn(
      Asker(
        account: session.account, recordName: recordNames[half]?[session.account],
        roles: rolesOfAccounts[half]?[session.account] ?? []))
  }

  /// Sends a request with the credentials.
  func send(
    _ method: String, _ path: String, _ credentials: AccessCredentials, body: String
  ) async throws -> SiteAnswer {
    var query: [String] = []
    if let api = credentials.forgedAPIToken ?? credentials.apiToken?.text {
      query.append("ckAPIToken=\(api)")
    }
    if let web = credentials.forgedWebToken ?? credentials.session?.text {
      query.append("ckWebAuthToken=\(PercentCoding.encoded(web))")
    }
    let target = query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    var headers = credentials.origin.map { [("Origin", $0)] } ?? []
    if let key = credentials.key {
      headers += try signature(key, credentials.signing, target, body)
    }
    return try await send(method, target, headers, body: body)
  }

  private func signature(
    _ key: Key, _ signing: AccessCredentials.Signing, _ target: String, _ body: String
  ) throws -> [(String, String)] {
    let moment = signing == .stale ? now - 700_000 : now
    let date = String(LogTime.text(moment).prefix(19)) + "Z"
    let signed = Array((signing == .ofOtherBody ? body + " " : body).utf8)
    let text = "\(date):\(base64(SigningKey.digest(signed))):\(target)"
    let prefix = "X-Apple-CloudKit-Request-"
    return [
      (prefix + "KeyID", signing == .byUnknownKey ? forged(key.id) : key.id),
      (prefix + "ISO8601Date", date),
      (prefix + "SignatureV1", base64(try key.pair.signature(of: Array(text.utf8)))),
    ]
  }

  private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

// What changes while attempts go on.
extension AccessWorld {
  /// Takes somebody's right away, or gives one.
  func changeSomething() throws {
    let half = draw.pick(Half.all, or: Half.all[0])
    switch draw.below(9) {
    case 0:
      if let index = sessions.indices.filter({ isOpen(sessions[$0]) }).randomElement(using: &draw) {
        try file.revokeWebSession(id: sessions[index].id)
        sessions[index].isRevoked = true
      }
    case 1: try setRoles(of: draw.pick(Self.accounts.filter { $0 != "eve" }, or: "ann"), in: half)
    case 2: try setDan(isDisabled: !shutOut.contains("dan"))
    case 3:
      if let index = keys.indices.filter({ !keys[$0].isRevoked }).randomElement(using: &draw) {
        try file.revokeServerKey(id: keys[index].id)
        keys[index].isRevoked = true
        try addKey(keys[index].half, draw.oneIn(2) ? ["auditor"] : [])
      }
    case 4:
      if let index = apiTokens.indices.filter({ !apiTokens[$0].isRevoked }).randomElement(
        using: &draw)
      {
        try file.revokeAPIToken(id: apiTokens[index].id)
        apiTokens[index].isRevoked = true
        try addAPIToken(apiTokens[index].half, apiTokens[index].origins)
      }
    default:
      let account = draw.pick(Self.accounts.filter { !shutOut.contains($0) }, or: "ann")
      try addSession(of: account, in: half)
    }
    keepShort()
  }

  func removeEve() throws {
    try file.removeUser(named: "eve")
    shutOut.insert("eve")
    closeSessions(of: "eve")
  }

  private func setDan(isDisabled: Bool) throws {
    try file.setDisabled(isDisabled, userNamed: "dan")
    if isDisabled {
      shutOut.insert("dan")
      closeSessions(of: "dan")
    } else {
      shutOut.remove("dan")
    }
  }

  private func closeSessions(of account: String) {
    for index in sessions.indices where sessions[index].account == account {
      sessions[index].isRevoked = true
    }
  }

  private func isOpen(_ session: Session) -> Bool { !session.isRevoked && now < session.ends }

  /// Forgets old credentials that are good for nothing, but for some.
  private func keepShort() {
    if apiTokens.count > 60, let index = apiTokens.firstIndex(where: \.isRevoked) {
      apiTokens.remove(at: index)
    }
    if keys.count > 40, let index = keys.firstIndex(where: \.isRevoked) { keys.remove(at: index) }
    if sessions.count > 120, let index = sessions.firstIndex(where: { !isOpen($0) }) {
      sessions.remove(at: index)
    }
  }
}
