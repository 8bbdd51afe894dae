import SyncClient
import Synchronization

/// Counts what goes over a transport.
final class CountingTransport: RecordTransport {
  struct Totals {
    var requests = 0
    var bytesSent = 0
    var bytesReceived = 0
  }

  private let transport: HTTPRecordTransport
  private let counted = Mutex(Totals())
  /// Where the bodies of pages go, if somebody wants them.
  private let keep: Mutex<(@Sendable ([UInt8]) -> Void)?> = Mutex(nil)

  init(_ transport: HTTPRecordTransport) { self.transport = transport }

  var totals: Totals { counted.withLock { $0 } }

  /// Has the bodies of pages given to `body`.
  func keepPages(_ body: @escaping @Sendable ([UInt8]) -> Void) { keep.withLock { $0 = body } }

  func send(_ call: SyncCall) async throws(TransportFailure) -> SyncReply {
    let reply = try await transport.send(call)
    counted.withLock { totals in
      totals.requests += 1
      totals.bytesSent += call.body.count
      totals.bytesReceived += reply.body.count
    }
    if call.path == "changes/zone" { keep.withLock { $0?(reply.body) } }
    return reply
  }
}
