import HTTPServer
import RecordServer
import RecordWire

/// A route with what every request to it needs, found once for many requests.
final class KnownRoute: Sendable {
  /// Where requests go.
  let route: Route
  /// What answers them.
  let served: ServedRoute?
  /// What they are counted by: never anything that a client can make up.
  let name: String
  /// What counts them.
  let counter: Metrics.Counter
  /// What they ask for; nil for anything but an operation of the protocol.
  let operation: Operation?

  /// An operation of the protocol, and how it is asked for.
  struct Operation: Sendable {
    let named: NamedOperation
    let methods: [HTTPMethod]
    let isAboutUsers: Bool

    fileprivate init(_ path: String) {
      named = NamedOperation(path)
      // Lists take either method, for clients use both.
      methods =
        WireEndpoint.at(path)?.methods.map { HTTPMethod(rawValue: $0.rawValue) } ?? [.post, .get]
      isAboutUsers = path.hasPrefix("users/")
    }
  }

  /// Finds out all about a route.
  init(_ route: Route, _ metrics: Metrics) {
    self.route = route
    served = ServedRoute.rows.first { $0.serves(route) }
    operation = if case .operation(_, _, let path) = route { Operation(path) } else { nil }
    name = Self.name(of: route, operation)
    counter = metrics.counter(name)
  }

  /// What stands for a path that is none.
  static let unknownName = "unknown"

  private static func name(of route: Route, _ operation: Operation?) -> String {
    switch route {
    case .operation(_, _, let path): operation?.named.isOfProtocol == true ? path : unknownName
    case .device: "device"
    case .management(_, let verb):
      ManagementRoute.names.contains(verb) ? "schema/\(verb)" : unknownName
    case .asset(_, let action, _): "assets/\(action.rawValue)"
    case .extension(_, _, let name): BeyondRoute.names.contains(name) ? name : unknownName
    case .page(let page): page.rawValue
    }
  }
}
