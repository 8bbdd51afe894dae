import Synchronization

/// What a connection waits for, which decides how long it may.
enum Wait {
  /// Nothing, or a handler: no deadline.
  case nothing
  case handshake
  /// The first byte of a new connection.
  case firstHead
  /// The rest of a head.
  case head
  /// The rest of a body.
  case body
  /// The next request.
  case idle
  /// A client that reads.
  case writeStall
  /// A client that ends its side.
  case linger
}

extension Connection {
  /// Begins a wait, unless it is the one that goes on.
  func setWait(_ next: Wait) {
    guard next != wait else { return }
    wait = next
    waitStart = loop.now
  }

  /// Sets the deadline for what the connection waits for now.
  func updateWait() {
    guard phase != .closed else { return }
    setWait(currentWait)
    deadline = limit.map { waitStart + $0 } ?? .max
    loop.watchDeadline(of: self)
  }

  private var currentWait: Wait {
    switch phase {
    case .handshaking: .handshake
    case .lingering: .linger
    case .closed: .nothing
    case .receiving, .handling, .streaming, .finishing:
      if !output.isEmpty {
        .writeStall
      } else if phase == .receiving {
        receivingWait
      } else {
        .nothing
      }
    }
  }

  private var receivingWait: Wait {
    if parser.isInBody { return .body }
    guard parser.isBetweenRequests else { return .head }
    return wait == .firstHead ? .firstHead : .idle
  }

  /// Milliseconds that the wait may take.
  private var limit: UInt64? {
    let deadlines = loop.share.deadlines
    switch wait {
    case .nothing: return nil
    case .handshake: return deadlines.handshake
    case .firstHead:
      return min(
        deadlines.head, loop.isDraining ? deadlines.drainIdle : .max)
    case .head: return deadlines.head
    case .body:
      let allowed = parser.bodyCount / deadlines.bodyBytesPerSecondMin
      return deadlines.body + UInt64(clamping: allowed) * 1000
    case .idle: return loop.isDraining ? deadlines.drainIdle : deadlines.idle
    case .writeStall: return deadlines.writeStall
    case .linger: return deadlines.linger
    }
  }

  /// Ends a wait that took too long.
  func expire() {
    // A client that is slow to end its side has had all it asked for.
    if wait != .linger { Counters.add(1, to: loop.counters.timeouts) }
    switch wait {
    case .nothing: return
    case .handshake, .writeStall, .linger: close()
    case .firstHead, .idle: phase = .finishing
    case .head: refuse(.headTimeout)
    case .body: refuse(.bodyTimeout)
    }
    advance()
  }

  /// Takes part in the drain of the server.
  func drain() {
    if stream?.whenDraining == .cancel { task?.cancel() }
    updateWait()
  }
}
