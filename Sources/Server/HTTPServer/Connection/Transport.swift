import CEpoll
import Glibc

/// What a call on a connection's socket came to.
enum TransportResult: Equatable {
  /// As many bytes were moved.
  case bytes(Int)
  /// Nothing now; an event will tell.
  case wouldBlock
  /// The peer sends nothing more.
  case ended
  /// The connection is broken.
  case failed
}

/// A connection's socket, plain or under TLS.
struct Transport {
  let descriptor: Int32
  let tls: TLSSession?

  func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportResult {
    if let tls { return tls.read(into: buffer) }
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .ended }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .wouldBlock : .failed
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, hasMore: Bool) -> TransportResult {
    if let tls { return tls.write(bytes) }
    while true {
      let count = contrail_send(descriptor, bytes.baseAddress, bytes.count, hasMore ? 1 : 0)
      if count >= 0 { return .bytes(count) }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .wouldBlock : .failed
    }
  }

  /// Tells the peer that nothing more comes.
  func endOutput() {
    tls?.endOutput()
    shutdown(descriptor, Int32(SHUT_WR))
  }

  func close() {
    tls?.close()
    _ = Glibc.close(descriptor)
  }
}
