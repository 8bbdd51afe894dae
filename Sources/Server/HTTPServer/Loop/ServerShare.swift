import Synchronization

/// What all loops of a server share.
final class ServerShare: Sendable {
  let configuration: HTTPServerConfiguration
  let handler: HTTPHandler
  /// Connections of all loops.
  let connections = Atomic<Int>(0)
  /// What new connections handshake with; the lock guards the reference only.
  private let tls: Mutex<TLSContext?>

  init(_ configuration: HTTPServerConfiguration, _ handler: HTTPHandler, tls: TLSContext?) {
    self.configuration = configuration
    self.handler = handler
    self.tls = Mutex(tls)
  }

  var tlsContext: TLSContext? { tls.withLock { $0 } }

  func replaceTLS(_ context: TLSContext) { tls.withLock { $0 = context } }
}
