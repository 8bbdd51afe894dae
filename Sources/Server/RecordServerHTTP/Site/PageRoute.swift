import HTTPServer
import RecordServer
import RecordWire
import ServerAccess
import Synchronization

/// Probes, measures and the sign-in page.
enum PageRoute {
  static let row = ServedRoute(
    serves: { if case .page = $0 { true } else { false } },
    answer: { site, facts, route in
      guard case .page(let page) = route else { return .nothing(facts) }
      switch page {
      case .health:
        try facts.check([.get, .head])
        return .text("ok\n")
      case .ready: return try await site.readiness(facts)
      case .metrics: return try site.measures(facts)
      case .signin: return try await site.signInPage(facts)
      case .signInScript:
        try facts.check([.get, .head])
        return .text(SignInHTML.script, type: "text/javascript; charset=utf-8")
      }
    })
}

extension RecordSite {
  /// Whether the server can do its work: it is not about to end, and every storage can be read.
  fileprivate func readiness(_ facts: RequestFacts) async throws -> Answer {
    try facts.check([.get, .head])
    if state.isDraining.load(ordering: .relaxed) {
      return .text("draining\n", status: .serviceUnavailable)
    }
    for host in containers.all {
      for environment in [SchemaEnvironment.development, .production] {
        do {
          _ = try await host.service(environment).storage.read { try $0.epoch() }
        } catch {
          log.event(
            .error, "storage",
            [
              "container": .text(host.name), "environment": .text(environment.rawValue),
              "detail": .text("\(error)"),
            ])
          return .text(
            "the storage of \(host.name)/\(environment.rawValue) cannot be read\n",
            status: .serviceUnavailable)
        }
      }
    }
    return .text("ok\n")
  }

  fileprivate func measures(_ facts: RequestFacts) throws -> Answer {
    try facts.check([.get, .head])
    if let token = configuration.metricsToken,
      Digest256(of: Array(token.utf8)) != Digest256(of: Array((facts.bearer ?? "").utf8))
    {
      throw RequestFailure(.authenticationFailed)
    }
    let counters = state.counters.withLock { $0 }.read
    let streams = containers.all.reduce(0) {
      $0 + $1.developmentChanges.count + $1.productionChanges.count
    }
    return .text(
      metrics.page(
        counters?(),
        [
          ("contrail_change_streams_open", "Clients that wait for changes.", Int64(streams)),
          ("contrail_resident_memory_bytes", "Memory of the process.", ProcessMemory.residentBytes),
        ]), type: "text/plain; version=0.0.4; charset=utf-8")
  }
}
