import Glibc
import HTTPServer
import Synchronization

/// The routes of paths that were asked for before: most requests have one of few paths, and reading one
/// takes ten times as long as finding it.
///
/// Each path has one place that it may be in, by its bytes; another path of that place takes it over.
final class RouteMemory: Sendable {
  /// How many paths are remembered at most.
  static let pathsMax = 512
  /// How long a path may be that is remembered, in bytes.
  static let pathBytesMax = 256

  private struct Entry {
    var path: [UInt8] = []
    var route: KnownRoute?
  }

  private let entries = Mutex([Entry](repeating: Entry(), count: pathsMax))
  private let metrics: Metrics

  /// Gives each route what counts its requests.
  init(_ metrics: Metrics) { self.metrics = metrics }

  /// The route of a path; nil where there is nothing.
  func route(_ path: ArraySlice<UInt8>) -> KnownRoute? {
    let place = path.withUnsafeBytes(Self.place)
    if let known = remembered(path, at: place) { return known }
    guard let route = Route(path: String(decoding: path, as: UTF8.self)) else { return nil }
    let known = KnownRoute(route, metrics)
    // Only operations are asked for again and again; other paths may be anything, and secrets too.
    if case .operation = route, path.count <= Self.pathBytesMax {
      entries.withLock { $0[place] = Entry(path: Array(path), route: known) }
    }
    return known
  }

  private func remembered(_ path: ArraySlice<UInt8>, at place: Int) -> KnownRoute? {
    path.withUnsafeBytes { path in
      entries.withLock { entries in
        let isHere = entries[place].path.withUnsafeBytes { known in
          known.count == path.count
            && path.baseAddress.map { memcmp($0, known.baseAddress ?? $0, path.count) == 0 } ?? true
        }
        return isHere ? entries[place].route : nil
      }
    }
  }

  /// The place of a path: FNV-1a of its bytes.
  ///
  /// Whoever makes paths for one place makes them be read each time, as unknown ones are anyway.
  private static func place(of path: UnsafeRawBufferPointer) -> Int {
    var hash: UInt32 = 2_166_136_261
    for index in 0..<min(path.count, pathBytesMax) {
      hash = (hash ^ UInt32(path[index])) &* 16_777_619
    }
    return Int((hash ^ hash >> 16) % UInt32(pathsMax))
  }
}
