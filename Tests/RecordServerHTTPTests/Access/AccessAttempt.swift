import JSONStream

/// One attempt with what the oracle expects of it.
struct AccessAttempt {
  /// What is done with an element of the answer, once it is as expected.
  typealias Effect = (AccessWorld, JSONValue) -> Void

  var kind: String
  var method = "POST"
  var path: String
  var body: String
  /// What the answer comes to, as `AnswerSummary` says it.
  var expected: [String]
  /// One for each element of the answer's list, or a single one for the whole answer.
  var effects: [Effect?] = []
  /// The secrets that may stand in the answer.
  var secrets: Set<Int> = []
  /// The accounts whose addresses may stand in the answer.
  var people: Set<String> = []
  /// Whether the order of the answer's list means nothing.
  var isUnordered = false
}

/// An attempt at an operation, before it is known what it asks for.
struct AttemptContext {
  var world: AccessWorld
  var half: Half
  var database: String
  /// Who asks; someone made up where the credentials are refused.
  var asker: Asker

  var model: AccessModel { world.model }
}

/// What an answer comes to, as words that can be compared and shown.
enum AnswerSummary {
  static func words(_ answer: SiteAnswer, _ tree: JSONValue?) -> [String] {
    if answer.status != 200 {
      return ["\(answer.status) \(tree?["serverErrorCode"]?.string ?? "")"]
    }
    guard let tree else { return [answer.body] }
    for key in ["records", "zones", "tokens", "assets", "users"] {
      if let list = tree[key]?.elements { return list.flatMap { words(of: $0) } }
    }
    if tree["singleFile"] != nil { return ["receipt"] }
    if let name = tree["userRecordName"]?.string {
      return ["\(name) \(tree["emailAddress"]?.string ?? "")"]
    }
    return ["ok"]
  }

  /// The elements of the answer's list, or the answer.
  static func elements(_ tree: JSONValue) -> [JSONValue] {
    for key in ["records", "zones", "tokens", "assets"] {
      if let list = tree[key]?.elements { return list }
    }
    return [tree]
  }

  private static func words(of element: JSONValue) -> [String] {
    if let code = element["serverErrorCode"]?.string { return [code] }
    if let zone = element["zoneID"]?["zoneName"]?.string, element["recordName"] == nil {
      if let count = element["count"]?.integer { return ["\(zone) has \(count)"] }
      let deleted = element["deleted"]?.boolean == true ? " deleted" : ""
      let records = element["records"]?.elements?.flatMap { words(of: $0) }
      return [zone + deleted + (records.map { ": " + $0.sorted().joined(separator: " ") } ?? "")]
    }
    if element["deleted"]?.boolean == true { return ["deleted"] }
    if element["url"] != nil { return ["place"] }
    if element["receipt"] != nil { return ["receipt"] }
    if let name = element["userRecordName"]?.string { return [name] }
    let secret = element["fields"]?["secret"]?["value"]?.string ?? "shown"
    return [secret + (element["fields"]?["file"]?["value"]?["downloadURL"] == nil ? "" : "+file")]
  }
}

extension KnownRecord {
  /// The record in an answer to somebody who may read it.
  var shown: String { (secret.map(AccessWorld.text) ?? "shown") + (file == nil ? "" : "+file") }
}
