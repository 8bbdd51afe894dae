import CommandKit

let serveCommand = Command(
  "serve",
  summary: "Serve the containers of a data folder until SIGTERM.",
  discussion: """
    The first start makes the folder, a container, a user and tokens, and prints them once. SIGTERM and
    SIGINT end it gracefully: no request in flight is cut. SIGHUP reads certificates again and finds
    new containers.
    """,
  options: [.config] + Setting.rows.map(\.option),
  examples: [
    .init("recordd serve --data /srv/contrail", "on this machine only, over plain HTTP"),
    .init(
      "recordd serve --data /srv/contrail --listen 0.0.0.0:443 --tls-certificate chain.pem --tls-key key.pem",
      "for everyone, over TLS"),
  ],
  exits: [
    .init(.ok, "it has ended as it was told to"), .unusable,
    .init(.findings, "requests were still running when the time to drain had passed"),
  ],
  run: { call in try Daemon(try Settings(call), call.console).run() })
