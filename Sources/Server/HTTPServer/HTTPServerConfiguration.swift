/// How a server behaves; every limit has a name here.
public struct HTTPServerConfiguration: Sendable {
  /// Where it listens.
  public var addresses: [ListenAddress]
  /// Event loops, each on a thread of its own.
  public var loopCount = 1
  /// Certificate and key; nil for plain HTTP.
  public var tls: TLSFiles?
  /// How much of a request is taken.
  public var limits = HTTPLimits()
  /// How long things may take.
  public var deadlines = HTTPDeadlines()
  /// Connections at a time; more are answered with 503 and closed.
  public var connectionsMax = 100_000
  /// Open files that are kept back for everything but connections, at most a quarter of what the system allows.
  public var descriptorsReserved = 256
  /// Connections that wait to be accepted, for each loop.
  public var backlog = 4096
  /// Bytes that may wait for a client before its next request, or its stream, is looked at.
  public var outputBytesHighWater = 128 * 1024
  /// Bytes that the messages of all connections may hold together: bodies that come, that handlers have, and responses
  /// that wait; beyond, requests are answered with 503 and clients that do not read are cut off.
  public var messageBytesHeldMax = 512 * 1024 * 1024
  /// Bodies from this size on are compressed where the client allows it.
  public var gzipBodyBytesMin = 1024
  /// How hard gzip tries, from 1 to 9: 1 takes a third of the time of 6 for about a tenth more bytes.
  public var gzipLevel = 1

  /// Listens on the given addresses.
  public init(addresses: [ListenAddress]) { self.addresses = addresses }
}

/// How long things may take before a connection is ended.
public struct HTTPDeadlines: Hashable, Sendable {
  /// A TLS handshake.
  public var handshake = Duration.seconds(10)
  /// A head, from its first byte on; also the first byte of a new connection.
  public var head = Duration.seconds(15)
  /// A body, beside what its size allows by `bodyBytesPerSecondMin`.
  public var body = Duration.seconds(30)
  /// The slowest upload: each so many bytes that have come prolong the body's deadline by a second.
  public var bodyBytesPerSecondMin = 4096
  /// The pause between a response and the next request.
  public var idle = Duration.seconds(75)
  /// A client that takes none of the bytes that wait for it.
  public var writeStall = Duration.seconds(30)
  /// A client that does not end its side after we ended ours.
  public var linger = Duration.seconds(2)
  /// How recent a connection's last request has to be for a drain to wait for its next one, which it answers with
  /// `Connection: close`, instead of closing the connection at once.
  public var drainIdle = Duration.seconds(1)
  /// A pause in accepting when the system has no descriptors or no memory left.
  public var acceptPause = Duration.milliseconds(100)

  /// The deadlines that suit a server on the open network.
  public init() {}
}

/// The deadlines in milliseconds, reckoned once: dividing a `Duration` costs more than a request's other bookkeeping.
struct DeadlineMilliseconds: Sendable {
  let handshake, head, body, idle, writeStall, linger, drainIdle, acceptPause: UInt64
  let bodyBytesPerSecondMin: Int

  init(_ deadlines: HTTPDeadlines) {
    handshake = deadlines.handshake.milliseconds
    head = deadlines.head.milliseconds
    body = deadlines.body.milliseconds
    idle = deadlines.idle.milliseconds
    writeStall = deadlines.writeStall.milliseconds
    linger = deadlines.linger.milliseconds
    drainIdle = deadlines.drainIdle.milliseconds
    acceptPause = deadlines.acceptPause.milliseconds
    bodyBytesPerSecondMin = max(1, deadlines.bodyBytesPerSecondMin)
  }
}

extension Duration {
  /// Whole milliseconds, none for negative durations.
  var milliseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    // A year is longer than any deadline.
    return UInt64(min(seconds, 31_536_000)) * 1000 + UInt64(attoseconds / 1_000_000_000_000_000)
  }
}
