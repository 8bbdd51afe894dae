import CommandKit
import ServerAccess

let keyAddCommand = Command(
  "key", "add",
  summary: "Register the public half of a server-to-server key, and print its id.",
  discussion: """
    Make a key with: openssl ecparam -name prime256v1 -genkey -noout -out key.pem
    and its public half with: openssl ec -in key.pem -pubout -out public.pem
    The private half never leaves its server. A key asks for the public database only, as a user of
    its own.
    """,
  arguments: [
    .init("NAME", "what to call it"), .init("FILE", "the public key in PEM; - for standard input"),
  ],
  options: [
    .data, .config, .container, .environment,
    .values("role", "ROLE", "the roles that it has"),
  ],
  examples: [.init("recordd key add nightly public.pem", "a job that writes public records")],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let pem = String(decoding: try SmallFile.read(call.arguments[1]), as: UTF8.self)
    let key = try work.accounts.addServerKey(
      name: call.arguments[0], in: try work.place(), publicKeyPEM: pem, now: work.now)
    let roles = Set(call.values("role"))
    if !roles.isEmpty { try work.accounts.setRoles(roles, ofServerKey: key.id) }
    call.console.write("\(key.id)\n")
    return .ok
  })

let keyListCommand = Command(
  "key", "list",
  summary: "List the server-to-server keys.",
  options: [.data, .config, .json],
  examples: [.init("recordd key list --data /srv/contrail", "which servers may ask?")],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    try Listing(
      keys: ["id", "name", "for", "created"],
      rows: try work.accounts.serverKeys().map {
        [$0.id, $0.name, $0.place.description, .time($0.created)]
      }
    ).print(call)
    return .ok
  })

let keyRevokeCommand = Command(
  "key", "revoke",
  summary: "End a server-to-server key; a running server knows within a second.",
  arguments: [.init("ID", "the key's id, as key list shows it")],
  options: [.data, .config],
  examples: [.init("recordd key revoke 5f3c…", "nothing that it signs is taken any more")],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    try work.accounts.revokeServerKey(id: call.arguments[0])
    call.console.writeText("revoked \(call.arguments[0])\n")
    return .ok
  })
