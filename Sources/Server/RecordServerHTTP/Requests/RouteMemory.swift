import Synchronization

/// The routes of paths that were asked for before: most requests have one of few paths, and reading one
/// takes ten times as long as finding it.
final class RouteMemory: Sendable {
  /// How many paths are remembered; when there are more, all are forgotten.
  static let pathsMax = 512
  /// How long a path may be that is remembered, in bytes.
  static let pathBytesMax = 256

  // NB: what equals what is no question here: targets are ASCII, or the parser refuses them.
  private let routes = Mutex<[String: Route]>([:])

  /// The route of a path; nil where there is nothing.
  func route(_ path: String) -> Route? {
    if let known = routes.withLock({ $0[path] }) { return known }
    guard let route = Route(path: path) else { return nil }
    // Only operations are asked for again and again; other paths may be anything, and secrets too.
    if case .operation = route, path.utf8.count <= Self.pathBytesMax {
      routes.withLock { routes in
        if routes.count >= Self.pathsMax { routes = [:] }
        routes[path] = route
      }
    }
    return route
  }
}
