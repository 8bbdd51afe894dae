import CommandKit
import Glibc
import ServerAccess

let userAddCommand = Command(
  "user", "add",
  summary: "Add somebody who can sign in.",
  discussion: """
    The password is asked for on a terminal, read from a file, or made up and printed once. Without
    one (--no-password) the user can only be given tokens.
    """,
  arguments: [.init("NAME", "what they sign in with")],
  options: [
    .data, .config,
    .value("password-file", "FILE", "where the password stands; - for standard input"),
    .flag("no-password", "the user never signs in with a password"),
    .value("given-name", "NAME", "the given name"),
    .value("family-name", "NAME", "the family name"),
    .value("email", "ADDRESS", "the e-mail address"),
  ],
  examples: [
    .init(
      "recordd user add ann --data /srv/contrail", "a user with a password that is printed once"),
    .init(
      "recordd user add ann --password-file -", "the password comes from standard input"),
  ],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let password = try NewPassword(call)
    let user = try work.accounts.addUser(
      NewUser(
        name: call.arguments[0], givenName: call.value("given-name") ?? "",
        familyName: call.value("family-name") ?? "", email: call.value("email") ?? "",
        password: password.text), now: work.now)
    call.console.writeText("added \(user.name)\n")
    password.printIfMadeUp(call)
    return .ok
  })

let userListCommand = Command(
  "user", "list",
  summary: "List the users.",
  options: [.data, .config, .json],
  examples: [.init("recordd user list --data /srv/contrail", "who can sign in?")],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let users = try work.accounts.users()
    try Listing(
      keys: ["name", "state", "given", "family", "email", "created"],
      rows: users.map { user in
        [
          user.name, user.isDisabled ? "revoked" : user.hasPassword ? "active" : "tokens only",
          user.givenName, user.familyName, user.email, .time(user.created),
        ]
      }
    ).print(call)
    return .ok
  })

let userRevokeCommand = Command(
  "user", "revoke",
  summary: "Shut a user out, and end all of their tokens.",
  discussion: """
    The user's records stay. --restore lets them in again, with new tokens; --remove forgets the user
    for good.
    """,
  arguments: [.init("NAME", "the user")],
  options: [
    .data, .config, .flag("restore", "let them in again"),
    .flag("remove", "forget them; somebody of that name is somebody else afterwards"),
  ],
  examples: [.init("recordd user revoke ann --data /srv/contrail", "ann is signed out everywhere")],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let name = call.arguments[0]
    if call.has("remove") {
      try work.accounts.removeUser(named: name)
      call.console.writeText("removed \(name)\n")
      return .ok
    }
    try work.accounts.setDisabled(!call.has("restore"), userNamed: name)
    call.console.writeText(call.has("restore") ? "restored \(name)\n" : "revoked \(name)\n")
    return .ok
  })

let userPasswordCommand = Command(
  "user", "password",
  summary: "Give a user another password, and end all of their tokens.",
  arguments: [.init("NAME", "the user")],
  options: [
    .data, .config,
    .value("password-file", "FILE", "where the password stands; - for standard input"),
  ],
  examples: [
    .init("recordd user password ann --data /srv/contrail", "a new password that is printed once")
  ],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let password = try NewPassword(call)
    try work.accounts.setPassword(password.text ?? "", ofUser: call.arguments[0])
    call.console.writeText("changed the password of \(call.arguments[0])\n")
    password.printIfMadeUp(call)
    return .ok
  })

let userRolesCommand = Command(
  "user", "roles",
  summary: "Show or set the roles that a user has in a container.",
  discussion: "Roles are those that the schema makes with CREATE ROLE; grants name them.",
  arguments: [.init("NAME", "the user")],
  options: [
    .data, .config, .container, .environment, .json,
    .values("set", "ROLE", "the roles that the user has from now on"),
    .flag("clear", "the user has no roles from now on"),
  ],
  examples: [
    .init("recordd user roles ann --set editor moderator", "ann is editor and moderator")
  ],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let (name, place) = (call.arguments[0], try work.place())
    guard let user = try work.accounts.user(named: name) else {
      throw UsageError("there is no user \"\(name)\"", fix: "see recordd user list")
    }
    if call.has("set") || call.has("clear") {
      try work.accounts.setRoles(Set(call.values("set")), ofUser: name, in: place)
    }
    let roles = try work.accounts.roles(ofSubject: user.id, in: place)
    try Listing(keys: ["role"], rows: roles.sorted().map { [$0] }).print(call)
    return .ok
  })

let userTokenCommand = Command(
  "user", "token",
  summary: "Make a web token for a user, for programs that nobody signs in to.",
  discussion: """
    It is printed once. It goes into requests as ckWebAuthToken, beside an API token of the same
    container and environment. recordd user revoke and user password end it.
    """,
  arguments: [.init("NAME", "the user")],
  options: [
    .data, .config, .container, .environment,
    .value("life", "TIME", "how long it is good for, such as 365d (30d)"),
  ],
  examples: [
    .init(
      "recordd user token ann --container iCloud.org.example.notes --life 365d",
      "a token for a job that runs every night")
  ],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let token = try work.accounts.addWebToken(
      userNamed: call.arguments[0], in: try work.place(),
      life: try Life.milliseconds(call.value("life") ?? "30d"), now: work.now)
    call.console.write("\(token.text)\n")
    return .ok
  })

/// A password that was given, or one that is made up.
struct NewPassword {
  let text: String?
  private let isMadeUp: Bool

  init(_ call: Invocation) throws(UsageError) {
    if call.has("no-password") {
      (text, isMadeUp) = (nil, false)
    } else if let file = call.value("password-file") {
      let bytes = try SmallFile.read(file)
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      guard let password = String(validating: line, as: UTF8.self) else {
        throw UsageError("\(file) holds no text", fix: "write the password in UTF-8")
      }
      (text, isMadeUp) = (password, false)
    } else {
      (text, isMadeUp) = (Self.madeUp(), true)
    }
  }

  func printIfMadeUp(_ call: Invocation) {
    if let text, isMadeUp { call.console.writeText("password: \(text)\n") }
  }

  /// Twenty letters and digits that nobody confuses: more than 100 bits.
  static func madeUp() -> String {
    let letters = Array("abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    return String((0..<20).map { _ in letters[Int.random(in: letters.indices)] })
  }
}
