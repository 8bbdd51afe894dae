import CommandKit

extension Command.Option {
  /// How to reach and convince a server.
  static let credentials: [Command.Option] = [
    .value(
      "token", "TOKEN",
      "the management token; better kept in \(ManagementClient.tokenVariable), since others see calls"
    ),
    .value("ca-file", "FILE", "certificates to trust in place of the system's, in PEM"),
    .flag("insecure-http", "send the token over plain HTTP to another machine"),
  ]

  /// Which server and container are meant.
  static let server: [Command.Option] =
    [
      .value("server", "URL", "the record server: https://host; http:// for this machine"),
      .value("container", "NAME", "the container"),
    ] + credentials

  /// Which environment is meant.
  static func environment(_ help: String) -> Command.Option {
    value("environment", "NAME", choices: ["development", "production"], help)
  }
}

extension Command.ExitMeaning {
  static let unaskable = Self(
    .unusable, "the server or a file cannot be used, or the call makes no sense")
  private static let serverBusy = Self(.busy, "the server is busy: try again later")

  /// How commands end that ask a server, beside what they ask it for.
  static let server = [unaskable, serverBusy, refusedCredentials, noAnswer]
}
