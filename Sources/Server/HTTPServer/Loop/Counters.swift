import Synchronization

/// What a loop has done; it alone writes, anyone reads.
final class Counters: Sendable {
  let accepted = Atomic<Int>(0)
  let refused = Atomic<Int>(0)
  let connections = Atomic<Int>(0)
  let requests = Atomic<Int>(0)
  let responses1xx = Atomic<Int>(0)
  let responses2xx = Atomic<Int>(0)
  let responses3xx = Atomic<Int>(0)
  let responses4xx = Atomic<Int>(0)
  let responses5xx = Atomic<Int>(0)
  let bytesIn = Atomic<Int>(0)
  let bytesOut = Atomic<Int>(0)
  let streams = Atomic<Int>(0)
  let handshakeFailures = Atomic<Int>(0)
  let timeouts = Atomic<Int>(0)
  let overloads = Atomic<Int>(0)

  func countResponse(_ status: HTTPStatus) {
    switch status.rawValue {
    case ..<200: Self.add(1, to: responses1xx)
    case ..<300: Self.add(1, to: responses2xx)
    case ..<400: Self.add(1, to: responses3xx)
    case ..<500: Self.add(1, to: responses4xx)
    default: Self.add(1, to: responses5xx)
    }
  }

  static func add(_ amount: Int, to counter: borrowing Atomic<Int>) {
    counter.wrappingAdd(amount, ordering: .relaxed)
  }
}

/// What a server has done until now, for metrics.
public struct HTTPServerCounters: Hashable, Sendable {
  /// Connections that are open.
  public var connectionsOpen = 0
  /// Connections that were accepted since the start.
  public var connectionsAccepted = 0
  /// Connections that were turned away, since there were too many.
  public var connectionsRefused = 0
  /// Requests whose head was understood.
  public var requests = 0
  /// Responses by the first digit of their status, `responses[2]` for 2xx; those to malformed requests count too.
  public var responses: [Int: Int] = [:]
  /// Bytes received, after decryption.
  public var bytesIn = 0
  /// Bytes sent, before encryption.
  public var bytesOut = 0
  /// Streamed responses that are open.
  public var streamsOpen = 0
  /// TLS handshakes that failed.
  public var handshakeFailures = 0
  /// Connections that were ended since a deadline had passed, idle ones too.
  public var timeouts = 0
  /// Requests that were refused and connections that were ended, since the messages of all took too much memory.
  public var overloads = 0
  /// Bytes of messages that are held now: bodies that come, that handlers have, and responses that wait.
  public var messageBytesHeld = 0

  /// Nothing was done yet.
  public init() {}

  mutating func add(_ loop: Counters) {
    connectionsOpen += loop.connections.load(ordering: .relaxed)
    connectionsAccepted += loop.accepted.load(ordering: .relaxed)
    connectionsRefused += loop.refused.load(ordering: .relaxed)
    requests += loop.requests.load(ordering: .relaxed)
    responses[1, default: 0] += loop.responses1xx.load(ordering: .relaxed)
    responses[2, default: 0] += loop.responses2xx.load(ordering: .relaxed)
    responses[3, default: 0] += loop.responses3xx.load(ordering: .relaxed)
    responses[4, default: 0] += loop.responses4xx.load(ordering: .relaxed)
    responses[5, default: 0] += loop.responses5xx.load(ordering: .relaxed)
    bytesIn += loop.bytesIn.load(ordering: .relaxed)
    bytesOut += loop.bytesOut.load(ordering: .relaxed)
    streamsOpen += loop.streams.load(ordering: .relaxed)
    handshakeFailures += loop.handshakeFailures.load(ordering: .relaxed)
    timeouts += loop.timeouts.load(ordering: .relaxed)
    overloads += loop.overloads.load(ordering: .relaxed)
  }
}
