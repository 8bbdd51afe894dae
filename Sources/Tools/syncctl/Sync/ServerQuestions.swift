import CommandKit
import RecordWire
import SyncClient

/// One question to the server that a store is synced with, and its answer.
struct ServerQuestions {
  let transport: any RecordTransport

  /// The body of the answer; throws what the server, or the way to it, said instead.
  func ask(_ call: SyncCall) throws -> [UInt8] {
    let reply = try Blocking.run { [transport] () async -> Result<SyncReply, TransportFailure> in
      do throws(TransportFailure) { return .success(try await transport.send(call)) } catch {
        return .failure(error)
      }
    }.get()
    if let failure = reply.failure { throw failure }
    return reply.body
  }
}
