import CEpoll
import Glibc
import Synchronization

extension EventLoop {
  /// Connections that are accepted before others have their turn.
  private static let acceptsPerTurnMax = 64

  /// Begins to accept.
  func openListeners() {
    guard drainState == nil else { return }
    for (index, listener) in listeners.enumerated() {
      let token = Self.listenerToken - UInt64(index)
      _ = contrail_epoll_add_listener(epoll, listener.descriptor, token)
    }
  }

  /// Accepts what waits at a listening socket.
  func accept(from index: Int) {
    guard index < listeners.count else { return }
    for _ in 0..<Self.acceptsPerTurnMax {
      guard acceptOne(listeners[index].descriptor) else { return }
    }
  }

  /// Accepts whatever has been connected, and listens no more.
  ///
  /// NB: a connection that the kernel completes between the last `accept4` and `close` is reset; it has sent nothing that
  /// was read, and its client sees that. Linux has no way to close a listening socket for new connections only.
  func closeListeners() {
    for listener in listeners {
      while acceptOne(listener.descriptor) {}
      _ = contrail_epoll_remove(epoll, listener.descriptor)
      _ = close(listener.descriptor)
    }
    listeners = []
    acceptsAgainAt = nil
  }

  /// False when nothing waits, or nothing can be accepted now.
  private func acceptOne(_ listener: Int32) -> Bool {
    var address = sockaddr_storage()
    let descriptor = contrail_accept(listener, &address)
    guard descriptor >= 0 else { return survive(errno) }
    Counters.add(1, to: counters.accepted)
    guard share.connections.load(ordering: .relaxed) < share.configuration.connectionsMax,
      Int(descriptor) < share.descriptorMax
    else {
      turnAway(descriptor)
      return true
    }
    let tls = share.tlsContext
    let session = tls.flatMap { TLSSession($0, descriptor: descriptor) }
    guard tls == nil || session != nil else {
      _ = close(descriptor)
      return true
    }
    open(Transport(descriptor: descriptor, tls: session), from: RemoteAddress(address))
    return true
  }

  private func open(_ transport: Transport, from address: RemoteAddress) {
    share.connections.wrappingAdd(1, ordering: .relaxed)
    Counters.add(1, to: counters.connections)
    let connection = connections.add { token in
      Connection(loop: self, token: token, transport: transport, remoteAddress: address)
    }
    guard
      contrail_epoll_add_connection(epoll, transport.descriptor, connection.token) == 0
    else {
      connection.close()
      return
    }
    // Where the client's first bytes came along with the connection, this saves waiting for them.
    connection.begin()
  }

  /// Whether accepting may go on at once after an error of `accept4`.
  private func survive(_ reason: Int32) -> Bool {
    switch reason {
    // The client has gone again, or a signal came: the next one is well (accept(2), "Error handling").
    case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH,
      EOPNOTSUPP, ENETUNREACH:
      return true
    // No descriptors or no memory: without a pause the loop would spin.
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      for listener in listeners { _ = contrail_epoll_remove(epoll, listener.descriptor) }
      acceptsAgainAt = now + share.deadlines.acceptPause
      return false
    default: return false
    }
  }

  /// Tells a client that there are too many; under TLS there is no way to say it before a handshake.
  private func turnAway(_ descriptor: Int32) {
    Counters.add(1, to: counters.refused)
    if share.tlsContext == nil {
      var response = HTTPResponse(
        status: .serviceUnavailable, headers: ["Retry-After": "1", "Content-Type": "text/plain"],
        body: Array("There are too many connections.\n".utf8))
      response.closesConnection = true
      let plan = ResponsePlan(
        response, in: .init(method: .get, version: .http11, closes: true), dateLine: dateLine())
      if let plan, case .bytes(let body) = plan.body {
        let bytes = plan.head + body
        _ = bytes.withUnsafeBytes { contrail_send(descriptor, $0.baseAddress, $0.count, 0) }
        counters.countResponse(response.status)
      }
      shutdown(descriptor, Int32(SHUT_WR))
    }
    _ = close(descriptor)
  }
}
