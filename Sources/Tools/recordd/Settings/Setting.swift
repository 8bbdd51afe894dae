/// One thing that whoever runs the daemon can decide: a row, which flags, environment, file and
/// `config --show` all read.
struct Setting: Sendable {
  /// What values it takes.
  enum Kind: Sendable {
    case text
    case flag
    case list
    case number(ClosedRange<Int>)
    case choice([String])
  }

  /// The name: `--public-url`, `RECORDD_PUBLIC_URL`, `"public-url"`.
  let name: String
  let kind: Kind
  /// What the value is called in help; nil for a flag.
  let value: String?
  /// The value when nobody says anything; nil where there is none.
  let standard: String?
  let help: String

  /// The name in the environment.
  var variable: String {
    "RECORDD_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }
}

extension Setting {
  /// Every setting.
  static let rows: [Setting] = [
    Setting(
      name: "data", kind: .text, value: "DIR", standard: nil,
      help: "the folder that holds everything; it is made where there is none"),
    Setting(
      name: "listen", kind: .list, value: "HOST:PORT", standard: "127.0.0.1:8080",
      help: "where to listen: a numeric address and a port, or unix:PATH; may be repeated"),
    Setting(
      name: "public-url", kind: .text, value: "URL", standard: nil,
      help: "the address at which clients reach the server, when it is not where it listens"),
    Setting(
      name: "tls-certificate", kind: .text, value: "FILE", standard: nil,
      help: "the certificate chain in PEM; read again on SIGHUP"),
    Setting(
      name: "tls-key", kind: .text, value: "FILE", standard: nil,
      help: "the private key in PEM; read again on SIGHUP"),
    Setting(
      name: "insecure-http", kind: .flag, value: nil, standard: "false",
      help: "allow plain HTTP on other addresses than loopback, for a proxy that does TLS"),
    Setting(
      name: "container", kind: .list, value: "NAME", standard: "contrail.local",
      help: "the containers that a new data folder begins with"),
    Setting(
      name: "log-level", kind: .choice(["error", "warning", "info", "debug"]), value: "LEVEL",
      standard: "info", help: "how much is logged, on standard error"),
    Setting(
      name: "log-format", kind: .choice(["text", "json"]), value: "FORMAT", standard: "text",
      help: "how lines of the log look"),
    Setting(
      name: "loops", kind: .number(1...256), value: "N", standard: nil,
      help: "event loops; one for each processor when nothing is said"),
    Setting(
      name: "drain-seconds", kind: .number(0...3600), value: "N", standard: "30",
      help: "how long requests may take to end after SIGTERM"),
    Setting(
      name: "metrics-token", kind: .text, value: "TOKEN", standard: nil,
      help: "who reads /metrics has to send this as a bearer token"),
    Setting(
      name: "body-bytes-max", kind: .number(1024...(1 << 30)), value: "N", standard: "16777216",
      help: "how long the body of a request may be"),
    Setting(
      name: "held-bytes-max", kind: .number((1 << 20)...(1 << 40)), value: "N",
      standard: "536870912",
      help: "how many bytes of requests and responses all connections may hold together"),
    Setting(
      name: "page-bytes-max", kind: .number(1024...(1 << 30)), value: "N", standard: "16777216",
      help: "how many bytes of fields a page of records may have"),
    Setting(
      name: "private-bytes-max", kind: .number(0...Int.max), value: "N", standard: "10737418240",
      help: "how many bytes of fields a private database may have"),
    Setting(
      name: "public-bytes-max", kind: .number(0...Int.max), value: "N", standard: "107374182400",
      help: "how many bytes of fields the public database may have"),
    Setting(
      name: "private-asset-bytes-max", kind: .number(0...Int.max), value: "N",
      standard: "10737418240",
      help: "how many bytes the files of a private database's assets may have"),
    Setting(
      name: "public-asset-bytes-max", kind: .number(0...Int.max), value: "N",
      standard: "107374182400",
      help: "how many bytes the files of the public database's assets may have"),
    Setting(
      name: "tombstone-days", kind: .number(1...36_500), value: "N", standard: "365",
      help: "how long deletions are told to clients that come back; later ones fetch anew"),
    Setting(
      name: "user-requests-per-second", kind: .number(1...1_000_000), value: "N", standard: "200",
      help: "how many requests a user may make in the long run; ten times as many at once"),
    Setting(
      name: "user-streams-max", kind: .number(1...1_000_000), value: "N", standard: "64",
      help: "how many change streams a user may have open, of one environment of a container"),
    Setting(
      name: "token-requests-per-second", kind: .number(1...1_000_000), value: "N",
      standard: "5000", help: "how many requests all holders of an API token may make"),
    Setting(
      name: "address-requests-per-second", kind: .number(1...1_000_000), value: "N",
      standard: "1000", help: "how many requests may come from one address"),
  ]

  /// The setting of that name.
  static func named(_ name: String) -> Setting? { rows.first { $0.name == name } }
}
