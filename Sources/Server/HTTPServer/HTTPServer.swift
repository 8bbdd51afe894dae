import Glibc
import Synchronization

/// An HTTP/1.1 server over event loops, which knows nothing of what it serves.
///
/// ```swift
/// let server = try HTTPServer.start(
///   HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 8080)]),
///   handler: HTTPHandler { request in HTTPResponse(body: Array("Hello \(request.path)\n".utf8)) })
/// await server.drain(within: .seconds(30))
/// ```
public final class HTTPServer: Sendable {
  /// Where it really listens: a port that was given as 0 has its number here.
  public let addresses: [ListenAddress]

  private let share: ServerShare
  private let loops: [EventLoop]

  /// Starts to listen; the server runs until it is drained, also when nobody holds it.
  ///
  /// The process ignores SIGPIPE from then on, and may open as many files as its hard limit allows.
  public static func start(
    _ configuration: HTTPServerConfiguration, handler: HTTPHandler
  ) throws(HTTPServerError) -> HTTPServer {
    // OpenSSL writes without MSG_NOSIGNAL: a client that went away would end the process.
    signal(SIGPIPE, SIG_IGN)
    let descriptors = raiseFileLimit()
    var tls: TLSContext?
    if let files = configuration.tls { tls = try TLSContext(files) }
    let server = try HTTPServer(
      ServerShare(configuration, handler, tls: tls, descriptors: descriptors))
    for loop in server.loops { try startThread(loop) }
    return server
  }

  private init(_ share: ServerShare) throws(HTTPServerError) {
    let configuration = share.configuration
    let count = max(1, configuration.loopCount)
    let opened = try Self.listen(configuration, count: count)
    var loops: [EventLoop] = []
    for (index, sockets) in opened.enumerated() {
      do throws(HTTPServerError) {
        loops.append(try EventLoop(index: index, share: share, listeners: sockets))
      } catch {
        for socket in opened.joined() { _ = close(socket.descriptor) }
        throw error
      }
    }
    self.share = share
    self.loops = loops
    addresses = opened.first?.map(\.address) ?? []
  }

  /// What it has done until now.
  public var counters: HTTPServerCounters {
    var sum = HTTPServerCounters()
    for loop in loops { sum.add(loop.counters) }
    sum.messageBytesHeld = share.budget.bytesHeld
    return sum
  }

  /// Stops accepting, answers what was asked with `Connection: close`, and returns when all connections have ended;
  /// those that have not by the deadline are cut off.
  ///
  /// - Returns: Whether all ended by themselves.
  @discardableResult
  public func drain(within duration: Duration) async -> Bool {
    var areAllDone = true
    // All at once, then wait for each.
    let ends = loops.map { loop in DrainEnd(loop, milliseconds: duration.milliseconds) }
    for end in ends where !(await end.value()) { areAllDone = false }
    for case .unix(let path) in addresses { unlink(path) }
    return areAllDone
  }

  /// Reads certificate and key again, or others: connections from now on have them, open ones keep what they have.
  ///
  /// A server that was started without TLS stays so.
  public func reloadTLS(_ files: TLSFiles) throws(HTTPServerError) {
    guard share.tlsContext != nil else {
      throw HTTPServerError(
        code: .notSecure, subject: files.certificateChain,
        message: "The server was started without TLS, and takes no certificate while it runs",
        fix: "Start it with `tls` in its configuration.")
    }
    share.replaceTLS(try TLSContext(files))
  }

  /// The sockets of each loop.
  ///
  /// TCP sockets share their port, Unix sockets are one for all.
  private static func listen(
    _ configuration: HTTPServerConfiguration, count: Int
  ) throws(HTTPServerError) -> [[ListeningSocket]] {
    var opened: [ListeningSocket] = []
    var rows: [[ListeningSocket]] = []
    do throws(HTTPServerError) {
      for index in 0..<count {
        var row: [ListeningSocket] = []
        for (column, wanted) in configuration.addresses.enumerated() {
          let socket: ListeningSocket
          if index > 0, case .unix = wanted {
            socket = try rows[0][column].duplicated()
          } else {
            // Port 0 has become a number with the first loop.
            let address = index > 0 ? rows[0][column].address : wanted
            socket = try ListeningSocket(address, backlog: configuration.backlog)
          }
          opened.append(socket)
          row.append(socket)
        }
        rows.append(row)
      }
    } catch {
      for socket in opened { _ = close(socket.descriptor) }
      throw error
    }
    return rows
  }

  /// Raises the limit of open files as far as it goes, and tells it.
  private static func raiseFileLimit() -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return .max }
    let before = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    return Int(clamping: setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before)
  }

  private static func startThread(_ loop: EventLoop) throws(HTTPServerError) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(loop)
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard result == 0 else {
      context.release()
      throw HTTPServerError(
        code: .noEventLoop, subject: "event loop", message: HTTPServerError.text(result),
        fix: "Raise the limit of threads (ulimit -u).")
    }
    pthread_detach(thread)
  }
}

/// The end of one loop's drain, which may come before anyone waits for it.
private final class DrainEnd: Sendable {
  private enum State {
    case running
    case awaited(CheckedContinuation<Bool, Never>)
    case done(Bool)
  }

  /// Guards whether the drain has ended, and who waits.
  private let state = Mutex<State>(.running)

  init(_ loop: EventLoop, milliseconds: UInt64) {
    loop.perform { [self] in
      loop.drain(within: milliseconds) { [self] isWhole in finish(isWhole) }
    }
  }

  func value() async -> Bool {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state -> Bool? in
        if case .done(let isWhole) = state { return isWhole }
        state = .awaited(continuation)
        return nil
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  private func finish(_ isWhole: Bool) {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      let before = state
      state = .done(isWhole)
      if case .awaited(let continuation) = before { return continuation }
      return nil
    }
    waiting?.resume(returning: isWhole)
  }
}
