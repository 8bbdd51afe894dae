import CommandKit
import ServerAccess

let tokenAddCommand = Command(
  "token", "add",
  summary: "Make an API token, which apps send with each request, or a management token.",
  discussion: """
    The token is printed once. An API token says which app asks; it lets nobody see private records.
    A management token (--management) is for syncctl schema …: it reads or changes schemas.
    """,
  arguments: [.init("NAME", "what to call it")],
  options: [
    .data, .config, .container, .environment,
    .values(
      "origin", "ORIGIN", "web pages that may use it, such as https://notes.example.org (any)"),
    .value(
      "callback", "URL", "where a sign-in ends; the page that opened it gets a message otherwise"),
    .value("notes", "TEXT", "what to remember"),
    .flag("management", "a token that manages schemas"),
    .flag("read-only", "with --management: it may export and compare, and change nothing"),
    .flag("all-containers", "with --management: good for every container"),
    .value("life", "TIME", "with --management: how long it is good for (365d)"),
  ],
  examples: [
    .init("recordd token add web --origin https://notes.example.org", "for one web page"),
    .init("recordd token add ci --management --read-only", "to check schemas in CI"),
  ],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let issued = try call.has("management") ? managementToken(work) : apiToken(work)
    call.console.write("\(issued.text)\n")
    return .ok
  })

private func apiToken(_ work: Administration) throws -> IssuedToken {
  let call = work.call
  let origins = call.values("origin")
  return try work.accounts.addAPIToken(
    NewAPIToken(
      name: call.arguments[0], place: try work.place(),
      origins: origins.isEmpty ? .any : .only(origins),
      callback: call.value("callback").map { .address($0) } ?? .postMessage,
      notes: call.value("notes") ?? ""), now: work.now)
}

private func managementToken(_ work: Administration) throws -> IssuedToken {
  let call = work.call
  return try work.accounts.addManagementToken(
    name: call.arguments[0], container: call.has("all-containers") ? nil : try work.container(),
    scope: call.has("read-only") ? .read : .write,
    life: try call.value("life").map { try Life.milliseconds($0) }
      ?? AccessLimits.managementTokenLife, now: work.now)
}

let tokenListCommand = Command(
  "token", "list",
  summary: "List API tokens, management tokens and web tokens, never their secrets.",
  options: [
    .data, .config, .json, .value("user", "NAME", "the web tokens of a user instead"),
  ],
  examples: [.init("recordd token list --data /srv/contrail", "which apps may ask?")],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let keys = ["id", "kind", "name", "for", "expires"]
    if let name = call.value("user") {
      let sessions = try work.accounts.webSessions(ofUser: name)
      try Listing(
        keys: keys,
        rows: sessions.map { [$0.id, "web", name, $0.place.description, .time($0.expires)] }
      ).print(call)
      return .ok
    }
    let api = try work.accounts.apiTokens().map {
      [$0.id, "api", $0.name, $0.place.description, .time(nil)]
    }
    let management = try work.accounts.managementTokens().map {
      [$0.id, "management/\($0.scope.rawValue)", $0.name, $0.container ?? "all", .time($0.expires)]
    }
    try Listing(keys: keys, rows: api + management).print(call)
    return .ok
  })

let tokenRevokeCommand = Command(
  "token", "revoke",
  summary: "End a token of any kind; a running server knows within a second.",
  arguments: [.init("ID", "the token's id, as token list shows it")],
  options: [.data, .config],
  examples: [.init("recordd token revoke 1f0c9b2e77aa01d3", "nobody can use it any more")],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let id = call.arguments[0]
    if try work.accounts.apiToken(id: id) != nil {
      try work.accounts.revokeAPIToken(id: id)
    } else if try work.accounts.managementTokens().contains(where: { $0.id == id }) {
      try work.accounts.revokeManagementToken(id: id)
    } else {
      try work.accounts.revokeWebSession(id: id)
    }
    call.console.writeText("revoked \(id)\n")
    return .ok
  })
