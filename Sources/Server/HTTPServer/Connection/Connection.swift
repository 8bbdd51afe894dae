import CEpoll
import Synchronization

/// One client: takes requests from its socket, one at a time, and sends their responses in order.
///
/// `@unchecked Sendable`: it is touched on its loop's thread only. Tasks and writers that carry it elsewhere use it through
/// `EventLoop.perform`, which comes back to that thread.
final class Connection: @unchecked Sendable {
  /// What the connection is at.
  enum Phase: Equatable {
    case handshaking
    /// Between requests, or within one that has not come whole.
    case receiving
    /// A handler is at work.
    case handling
    /// A response is being streamed.
    case streaming
    /// What waits is sent, then our side ends.
    case finishing
    /// Our side has ended; the peer's is awaited, since closing earlier could destroy what we sent.
    case lingering
    case closed
  }

  let loop: EventLoop
  let token: UInt64
  let transport: Transport
  let remoteAddress: RemoteAddress

  var phase: Phase
  // NB: unchecked here and below, since the checks cost a fiftieth of a small request. All is done on one
  // thread, and nothing that parser, output and the loop's tables call comes back to them.
  @exclusivity(unchecked) var parser: RequestParser
  /// What was read and waits for the requests before it.
  var input: [UInt8] = []
  @exclusivity(unchecked) var output = OutputQueue()
  /// Bytes of messages that the server's budget knows of.
  var heldBytes = 0
  var isReadable = true
  var isWritable = true
  /// Whether the peer has ended its side, behind what may still have to be read.
  var hasPeerEnded = false
  private var isAdvancing = false

  /// The request that is received or answered.
  var head: HTTPRequestHead?
  var task: Task<Void, Never>?
  var stream: StreamState?
  /// Streams so far, so that a writer that outlives its stream writes into no other.
  var streamCount: UInt64 = 0

  var wait = Wait.nothing
  var waitStart: UInt64
  var deadline = UInt64.max
  /// The wheel's entry for the connection; `.max` without one.
  var wheelTick = UInt64.max

  /// Requests that were answered at once since others had their turn.
  var answersThisTurn = 0

  /// Reads before others have their turn.
  private static let readsPerTurnMax = 16
  /// Requests that are answered at once before others have their turn.
  private static let answersPerTurnMax = 4

  init(loop: EventLoop, token: UInt64, transport: Transport, remoteAddress: RemoteAddress) {
    self.loop = loop
    self.token = token
    self.transport = transport
    self.remoteAddress = remoteAddress
    phase = transport.tls == nil ? .receiving : .handshaking
    parser = RequestParser(limits: loop.share.configuration.limits)
    waitStart = loop.now
  }

  var configuration: HTTPServerConfiguration { loop.share.configuration }

  /// Whether more may be put into the output.
  var hasRoom: Bool { output.count < loop.share.outputBytesHighWater }

  /// Whether more may be answered before others have their turn.
  var hasTurn: Bool { answersThisTurn < Self.answersPerTurnMax }

  /// Starts the new connection.
  func begin() {
    setWait(phase == .handshaking ? .handshake : .firstHead)
    advance()
  }

  /// Takes what the kernel tells.
  func handle(_ events: UInt32) {
    if contrail_is_gone(events) != 0 {
      close()
      return
    }
    let isTLS = transport.tls != nil
    if contrail_has_peer_ended(events) != 0 { hasPeerEnded = true }
    // Under TLS a read may wait for room to write, and the other way round.
    if isTLS || hasPeerEnded || contrail_is_readable(events) != 0 {
      isReadable = true
    }
    if isTLS || contrail_is_writable(events) != 0 { isWritable = true }
    // A client that ends its side while a stream runs has gone: nobody waits for events half-closed.
    if phase == .streaming, hasPeerEnded {
      close()
      return
    }
    advance()
  }

  /// Does all that can be done now, but for what is sent together with others' answers.
  func advance() {
    guard !isAdvancing, phase != .closed else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    if phase == .handshaking { shakeHands() }
    var reads = 0
    answersThisTurn = 0
    repeat {
      if loop.holdsOutput(of: self) { return }
      flush()
      guard phase == .receiving, hasRoom else { break }
      guard reads < Self.readsPerTurnMax, hasTurn else {
        loop.revisit(token)
        break
      }
      reads += 1
    } while receive()
    endTurn()
  }

  /// Sends what was held until others were answered too.
  func sendHeld() {
    guard !isAdvancing, phase != .closed else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    flush()
    if phase == .receiving, hasRoom, isReadable || !input.isEmpty { loop.revisit(token) }
    endTurn()
  }

  private func endTurn() {
    account()
    if phase == .lingering { discardInput() }
    updateWait()
  }

  private func shakeHands() {
    switch transport.tls?.handshake() {
    case .done:
      phase = .receiving
      setWait(.firstHead)
    case .wouldBlock: isReadable = false
    case .failed, nil:
      Counters.add(1, to: loop.counters.handshakeFailures)
      close()
    }
  }

  /// Sends what waits, as far as the socket takes it.
  func flush() {
    guard phase != .handshaking, phase != .closed else { return }
    while isWritable, !output.isEmpty {
      switch output.withFirst({ transport.write($0, hasMore: $1) }) {
      case .bytes(let count):
        output.remove(count)
        Counters.add(count, to: loop.counters.bytesOut)
        if wait == .writeStall { waitStart = loop.now }
      case .wouldBlock: isWritable = false
      case .ended, .failed:
        close()
        return
      }
    }
    if hasRoom { stream?.wakeWriters() }
    if phase == .finishing, output.isEmpty { endOutput() }
  }

  private func endOutput() {
    transport.endOutput()
    input = []
    parser.dropBody()
    phase = .lingering
    // The peer may have ended long ago.
    isReadable = true
  }

  /// Reads what the peer still sends, until it ends too.
  private func discardInput() {
    for _ in 0..<Self.readsPerTurnMax {
      switch transport.read(into: loop.scratch) {
      case .bytes(let count): Counters.add(count, to: loop.counters.bytesIn)
      case .wouldBlock: return
      case .ended, .failed:
        close()
        return
      }
    }
    loop.revisit(token)
  }

  /// Ends everything now.
  func close() {
    guard phase != .closed else { return }
    phase = .closed
    transport.close()
    task?.cancel()
    stream?.end(throwing: .clientIsGone)
    stream = nil
    input = []
    output.removeAll()
    parser.dropBody()
    settle()
    loop.connections.remove(token)
    loop.share.connections.wrappingSubtract(1, ordering: .relaxed)
    Counters.add(-1, to: loop.counters.connections)
  }
}
