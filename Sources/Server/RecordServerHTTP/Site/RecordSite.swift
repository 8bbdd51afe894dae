public import HTTPServer
import RecordServer
import RecordWire
import Synchronization

/// Everything that a server answers: the protocol's operations, the management of schemas, what it
/// has beyond the protocol, the sign-in page, probes and measures.
///
/// ```swift
/// let site = RecordSite(containers, access: access, configuration, log: log)
/// let server = try HTTPServer.start(addresses, handler: site.handler)
/// ```
public final class RecordSite: Sendable {
  let containers: ContainerDirectory
  let access: SiteAccess
  let configuration: SiteConfiguration
  let sources: SiteSources
  /// The same for the service, made once.
  let freshSource: FreshSource
  let log: ServerLog
  let metrics: Metrics
  let state: SiteState
  private let identity: RequestIdentity
  private let routes: RouteMemory
  /// What counts requests to paths where there is nothing.
  private let strays: Metrics.Counter

  /// Serves the containers of a directory to those whom `access` lets in.
  public init(
    _ containers: ContainerDirectory, access: SiteAccess, _ configuration: SiteConfiguration,
    sources: SiteSources = .system, log: ServerLog
  ) {
    self.containers = containers
    self.access = access
    self.configuration = configuration
    self.sources = sources
    freshSource = FreshSource(
      recordName: { sources.recordName() }, epoch: { sources.random() })
    self.log = log
    state = SiteState()
    identity = RequestIdentity(process: sources.random())
    metrics = Metrics()
    routes = RouteMemory(metrics)
    strays = metrics.counter(KnownRoute.unknownName)
  }

  /// What an HTTP server calls.
  public var handler: HTTPHandler {
    HTTPHandler(
      bodyLimit: { [self] head in bodyLimit(head) },
      reply: { [self] request in reply(to: request) })
  }

  /// Says that the server is about to end: `/ready` answers so, and load balancers go elsewhere.
  public func beginDraining() { state.isDraining.store(true, ordering: .relaxed) }

  /// Where the counts of connections come from.
  public func measure(_ counters: @escaping @Sendable () -> HTTPServerCounters) {
    state.counters.withLock { $0.read = counters }
  }

  private func reply(to request: HTTPRequest) -> HTTPReply {
    let started = sources.microseconds()
    let facts = RequestFacts(request, id: identity.name(request.id))
    let route = routes.route(request.head.pathBytes)
    do {
      switch try reply(facts, route) {
      case .now(let answer): return .now(response(answer, facts, route, since: started))
      case .later(let answer):
        return .later { [self] in
          do {
            return response(try await answer(), facts, route, since: started)
          } catch {
            return response(.failure(error, id: facts.id), facts, route, since: started)
          }
        }
      }
    } catch {
      return .now(response(.failure(error, id: facts.id), facts, route, since: started))
    }
  }

  private func reply(_ facts: RequestFacts, _ route: KnownRoute?) throws -> Reply {
    guard let route, let served = route.served else { return .now(.nothing(facts)) }
    return try served.reply(self, facts, route)
  }

  /// The answer as it is sent, once it is counted and logged.
  private func response(
    _ answer: consuming Answer, _ facts: RequestFacts, _ route: KnownRoute?, since started: Int64
  ) -> HTTPResponse {
    answer.response.headers.append(CrossOrigin.requestHeader, facts.id)
    let time = sources.microseconds() - started
    (route?.counter ?? strays).add(code: answer.code?.rawValue, microseconds: time)
    note(facts, route, answer, microseconds: time)
    return answer.response
  }

  private func note(
    _ facts: RequestFacts, _ route: KnownRoute?, _ answer: Answer, microseconds: Int64
  ) {
    let level: LogLevel = answer.detail == nil ? .info : .error
    guard log.writes(level) else { return }
    log.event(
      level, "request",
      [
        "id": .text(facts.id), "method": .text(facts.request.method.rawValue),
        "path": .text(loggedPath(facts.request.path, route?.route)),
        "operation": .text(route?.name ?? KnownRoute.unknownName),
        "status": .number(Int64(answer.response.status.rawValue)),
        "code": answer.code.map { .text($0.rawValue) },
        "bytes": .number(Int64(facts.request.body.count)),
        "microseconds": .number(microseconds), "from": .text(facts.host),
        "detail": answer.detail.map { .text($0) },
      ])
  }

  /// The path without anything that lets its reader in: queries have tokens, and sealed names are some.
  private func loggedPath(_ path: String, _ route: Route?) -> String {
    guard case .asset(let place, let action, _)? = route else {
      return path.hasPrefix("/assets/") ? "/assets/…" : String(path.prefix(Self.loggedPathMax))
    }
    return "/assets/1/\(place.container)/\(place.environment.rawValue)/\(action.rawValue)/…"
  }

  /// How much of a path is logged, in characters.
  private static let loggedPathMax = 200
}

extension RecordSite {
  /// How long a body may be, as the path tells before the body is read.
  fileprivate func bodyLimit(_ head: HTTPRequestHead) -> Int {
    if head.hasPath(under: Self.assetRoot) {
      // Only who was given a place to upload to may send a file.
      return isPlaceForFile(head.path)
        ? configuration.assetBytesMax : configuration.smallBodyBytesMax
    }
    let isOfOperations = Self.operationRoots.contains { head.hasPath(under: $0) }
    return isOfOperations ? configuration.bodyBytesMax : configuration.smallBodyBytesMax
  }

  private static let assetRoot = Array("/assets/".utf8)
  private static let operationRoots = ["/database/", "/management/", ExtensionEndpoint.root]
    .map { Array($0.utf8) }

  private func isPlaceForFile(_ path: String) -> Bool {
    guard case .asset(let place, .upload, let sealed)? = Route(path: path),
      let setting = containers[place.container]?.service(place.environment).assets
    else { return false }
    let ticket = try? AssetTicket(
      opening: sealed, container: place.container, environment: place.environment,
      seal: setting.seal, now: sources.milliseconds())
    return ticket != nil
  }
}
