import CommandKit
import Dispatch
import FoundationEssentials
import Glibc
import HTTPServer
import RecordServer
import RecordServerHTTP
import ServerAccess
import Synchronization

/// The server as a process: it starts everything, waits for signals, and ends in order.
struct Daemon {
  private let settings: Settings
  private let console: Console
  private let folder: DataFolder

  init(_ settings: Settings, _ console: Console) throws {
    self.settings = settings
    self.console = console
    folder = try settings.dataFolder()
  }

  /// Serves until a signal says otherwise.
  func run() throws -> ExitCode {
    let addresses = try ListenSettings.addresses(settings)
    try folder.make()
    try folder.lock()
    let accounts = try folder.accounts()
    let isNew = try accounts.isUntouched()
    if isNew { for name in settings.list("container") { try folder.makeContainer(name) } }
    // Signals are waited for, and must not end the process meanwhile.
    let signals = SignalWaiting([SIGTERM, SIGINT, SIGHUP])
    let log = makeLog()
    var configuration = HTTPServerConfiguration(addresses: addresses)
    configuration.loopCount =
      settings.number("loops") ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
    configuration.messageBytesHeldMax =
      settings.number("held-bytes-max") ?? configuration.messageBytesHeldMax
    configuration.tls = try ListenSettings.tls(settings)
    let access = try makeAccess(accounts)
    // A port of 0 is a number once it listens, and addresses that are given out have it in them.
    let late = LateHandler()
    let server = try HTTPServer.start(configuration, handler: late.handler)
    let url = publicURL(server, isSecure: configuration.tls != nil)
    let opening = ContainerOpening(
      folder: folder, seal: try accounts.assetSeal(), url: url, limits: limits)
    let containers = ContainerDirectory(try folder.containerNames().map(opening.host))
    let site = RecordSite(containers, access: access, siteConfiguration(url), log: log)
    try Waiting.run { for host in containers.all { try await host.settle() } }
    late.set(site.handler)
    site.measure { server.counters }
    late.set(site.handler)
    let housekeeping = Housekeeping(
      containers, tombstoneDays: settings.number("tombstone-days") ?? 365, log)
    let chores = [
      Task { await site.remindStreams() }, Task { await housekeeping.run() },
    ]
    if isNew { try FirstStart(accounts, console).introduce(containers.names, url) }
    log.event(.info, "started", ["url": .text(url), "pid": .number(Int64(getpid()))])
    while true {
      let signal = signals.next()
      guard signal == SIGHUP else { break }
      reload(server, containers, opening, log)
    }
    site.beginDraining()
    for chore in chores { chore.cancel() }
    let isWhole = drain(server)
    access.authentication.flush()
    log.event(.info, "ended", ["whole": .text(isWhole ? "yes" : "no")])
    return isWhole ? .ok : .findings
  }

  private var limits: ServiceLimits {
    var limits = ServiceLimits()
    limits.pageBytesMax = settings.number("page-bytes-max") ?? limits.pageBytesMax
    limits.privateBytesMax =
      settings.number("private-bytes-max").map(Int64.init) ?? limits.privateBytesMax
    limits.publicBytesMax =
      settings.number("public-bytes-max").map(Int64.init) ?? limits.publicBytesMax
    limits.privateAssetBytesMax =
      settings.number("private-asset-bytes-max").map(Int64.init) ?? limits.privateAssetBytesMax
    limits.publicAssetBytesMax =
      settings.number("public-asset-bytes-max").map(Int64.init) ?? limits.publicAssetBytesMax
    return limits
  }

  private func makeLog() -> ServerLog {
    ServerLog(
      settings.text("log-level").flatMap(LogLevel.init) ?? .info,
      settings.text("log-format").flatMap(LogFormat.init) ?? .text,
      milliseconds: SiteSources.system.milliseconds,
      write: { bytes in
        // One call a line, so that lines of several threads do not mix.
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      })
  }

  private func makeAccess(_ accounts: AccountFile) throws -> SiteAccess {
    var limits = RateLimits.requests
    for (setting, kind) in Self.rates {
      guard let perSecond = settings.number(setting) else { continue }
      limits.limits[kind] = RateLimit(perSecond: perSecond, burst: perSecond * Self.burstSeconds)
    }
    return SiteAccess(
      Authentication(accounts), signIn: try SignIn(accounts), requests: limits)
  }

  private static let rates: [(String, RateKey.Kind)] = [
    ("user-requests-per-second", .user), ("token-requests-per-second", .apiToken),
    ("address-requests-per-second", .address),
  ]
  /// How many seconds' requests may come at once.
  private static let burstSeconds = 10

  private func siteConfiguration(_ url: String) -> SiteConfiguration {
    var configuration = SiteConfiguration(publicURL: url)
    configuration.bodyBytesMax = settings.number("body-bytes-max") ?? configuration.bodyBytesMax
    configuration.userStreamsMax =
      settings.number("user-streams-max") ?? configuration.userStreamsMax
    configuration.metricsToken = settings.text("metrics-token")
    return configuration
  }

  private func publicURL(_ server: HTTPServer, isSecure: Bool) -> String {
    if let given = settings.text("public-url") {
      return given.hasSuffix("/") ? String(given.dropLast()) : given
    }
    let scheme = isSecure ? "https" : "http"
    for case .tcp(let host, let port) in server.addresses {
      let isAny = host == "0.0.0.0" || host == "::"
      return "\(scheme)://\(ListenAddress.tcp(host: isAny ? "localhost" : host, port: port))"
    }
    return "\(scheme)://localhost"
  }

  private func reload(
    _ server: HTTPServer, _ containers: ContainerDirectory, _ opening: ContainerOpening,
    _ log: ServerLog
  ) {
    do {
      if let files = try ListenSettings.tls(settings) { try server.reloadTLS(files) }
      for name in try folder.containerNames() where containers[name] == nil {
        let host = try opening.host(name)
        try Waiting.run { try await host.settle() }
        containers.add(host)
      }
      log.event(.info, "reloaded")
    } catch {
      // What was there before still holds.
      log.event(.error, "reload", ["detail": .text("\(error)")])
    }
  }

  private func drain(_ server: HTTPServer) -> Bool {
    let seconds = settings.number("drain-seconds") ?? 30
    return (try? Waiting.run { await server.drain(within: .seconds(seconds)) }) ?? false
  }
}
