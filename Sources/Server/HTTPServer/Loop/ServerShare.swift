import Synchronization

/// What all loops of a server share.
final class ServerShare: Sendable {
  let configuration: HTTPServerConfiguration
  let deadlines: DeadlineMilliseconds
  let outputBytesHighWater: Int
  let handler: HTTPHandler
  /// What the messages of all loops' connections hold.
  let budget: BodyBudget
  /// Connections of all loops.
  let connections = Atomic<Int>(0)
  /// What new connections handshake with; the lock guards the reference only.
  private let tls: Mutex<TLSContext?>

  /// Descriptors from this number on are not for connections.
  ///
  /// NB: a process whose descriptors are all in use cannot open its files, and libdispatch ends it when a task sleeps. The
  /// kernel gives the lowest free number, so a high one means that few are left.
  let descriptorMax: Int

  /// The part of the descriptors that is kept back, for small limits.
  private static let reservedPart = 4

  init(
    _ configuration: HTTPServerConfiguration, _ handler: HTTPHandler, tls: TLSContext?,
    descriptors: Int
  ) {
    self.configuration = configuration
    deadlines = DeadlineMilliseconds(configuration.deadlines)
    // With less than a byte nothing would ever be sent.
    outputBytesHighWater = max(1, configuration.outputBytesHighWater)
    let reserved = max(0, configuration.descriptorsReserved)
    descriptorMax = descriptors - min(reserved, descriptors / Self.reservedPart)
    self.handler = handler
    budget = BodyBudget(bytesMax: configuration.messageBytesHeldMax)
    self.tls = Mutex(tls)
  }

  var tlsContext: TLSContext? { tls.withLock { $0 } }

  func replaceTLS(_ context: TLSContext) { tls.withLock { $0 = context } }
}
