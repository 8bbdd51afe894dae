import JSONStream
import SchemaGenerator
/// Attempts beside the operations: files, management, and what the server has beyond the protocol.
enum AccessOtherRoutes {
  /// Sends a file to a place, or fetches one: the address alone lets in.
  static func file(_ world: AccessWorld) async throws -> AccessAttempt? {
    guard let place = world.pick(world.places) else { return nil }
    let isDownload = place.number != nil
    let here = place.half
    let half = world.draw.oneIn(3) ? world.draw.pick(Half.all, or: here) : here
    var path = String(place.url.dropFirst(AccessWorld.base.count)).replacing(
      "/\(here.container)/\(here.environment)/", with: "/\(half.container)/\(half.environment)/")
    // What is good for fetching is not good for sending.
    let isTurned = world.draw.oneIn(8)
    if isTurned {
      path =
        isDownload
        ? path.replacing("/download/", with: "/upload/")
        : path.replacing("/upload/", with: "/download/")
    }
    let isTampered = world.draw.oneIn(8)
    if isTampered { path = String(path.dropLast(2)) + "AA" }
    let isGood = half == here && !isTurned && !isTampered && world.now < place.ends
    let number = place.number ?? world.nextSecret()
    var made = AccessAttempt(
      kind: isDownload ? "download" : "upload", method: isDownload == isTurned ? "POST" : "GET",
      path: path, body: isDownload ? "" : AccessWorld.text(number),
      expected: [isGood ? (isDownload ? AccessWorld.text(number) : "receipt") : "404 NOT_FOUND"])
    guard isGood else { return made }
    if isDownload {
      made.secrets = [number]
    } else {
      made.effects = [
        { world, answer in
          guard let asset = answer["singleFile"] else { return }
          world.keepReceipt(
            asset, number: number, half: here, owner: place.owner, user: place.user)
        }
      ]
    }
    return made
  }

  /// The verbs of management, with a body that does harm where the caller may not, and none where they may.
  static func management(
    _ world: AccessWorld
  ) -> (attempt: AccessAttempt, token: AccessWorld.ManagementToken?) {
    let container = world.draw.pick(["iCloud.one", "iCloud.two", "iCloud.three"], or: "")
    let token = world.draw.oneIn(8) ? nil : world.pick(world.managementTokens)
    let verbs: [(name: String, writes: Bool, harmless: String, harmful: String)] = [
      ("export", false, "", ""), ("audit", false, "", ""), ("diff", false, "{}", "{}"),
      ("validate", false, #"{"schema":"DEFINE SCHEMA"}"#, #"{"schema":"DEFINE SCHEMA"}"#),
      (
        "import", true, AccessSchema.request(of: container),
        #"{"schema":"DEFINE SCHEMA RECORD TYPE Sealed (secret STRING, GRANT READ TO \"_world\");"}"#
      ),
      ("promote", true, "{}", "{}"),
      ("reset", true, #"{"dryRun":true}"#, #"{"confirm":"\#(container)"}"#),
    ]
    let verb = verbs[world.draw.below(verbs.count)]
    let expected: String
    if let token, world.now < token.ends {
      let fits = token.container == nil || token.container == container
      let isAllowed = fits && (token.mayWrite || !verb.writes)
      expected =
        !isAllowed ? "403 ACCESS_DENIED" : container == "iCloud.three" ? "404 NOT_FOUND" : "ok"
    } else {
      expected = "401 AUTHENTICATION_FAILED"
    }
    let isRead = verb.harmless.isEmpty
    let query = verb.name == "export" ? "?environment=development" : ""
    return (
      AccessAttempt(
        kind: "management/\(verb.name)", method: isRead ? "GET" : "POST",
        path: "/management/1/\(container)/schema/\(verb.name)\(query)",
        body: expected == "ok" ? verb.harmless : verb.harmful, expected: [expected]), token
    )
  }

  /// Paths beyond operations: what the caller has to be for each, and what is said to one who is.
  static func extra(
    _ world: AccessWorld, _ half: Half
  ) -> (attempt: AccessAttempt, scope: String) {
    let rows: [(path: String, method: String, scope: String, answer: String)] = [
      ("contrail/1/HALF/capabilities", "GET", "public", "ok"),
      ("contrail/1/HALF/private/changes/stream", "GET", "private", "stream"),
      ("contrail/1/HALF/public/changes/stream", "GET", "public", "400 BAD_REQUEST"),
      ("contrail/1/HALF/shared/changes/stream", "GET", "shared", "400 BAD_REQUEST"),
      ("device/1/HALF/tokens/create", "POST", "public", "400 BAD_REQUEST"),
      ("database/1/HALF/private/subscriptions/list", "POST", "private", "400 BAD_REQUEST"),
      ("database/1/HALF/public/users/lookup/email", "POST", "users", "400 BAD_REQUEST"),
      ("database/1/HALF/private/records/steal", "POST", "private", "404 NOT_FOUND"),
    ]
    let row = rows[world.draw.below(rows.count)]
    let path = "/" + row.path.replacing("HALF", with: "\(half.container)/\(half.environment)")
    return (
      AccessAttempt(
        kind: "extra", method: row.method, path: path, body: row.method == "GET" ? "" : "{}",
        expected: [row.answer]), row.scope
    )
  }
}
