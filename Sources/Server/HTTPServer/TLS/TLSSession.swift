import COpenSSL

/// The TLS side of one connection, used on its loop only.
final class TLSSession {
  /// How a handshake goes on.
  enum Handshake {
    case done
    case wouldBlock
    case failed
  }

  private var ssl: OpaquePointer?

  /// Starts the server's side on a socket that does not block.
  init?(_ context: TLSContext, descriptor: Int32) {
    guard let ssl = context.makeSession() else { return nil }
    self.ssl = ssl
    guard SSL_set_fd(ssl, descriptor) == 1 else {
      SSL_free(ssl)
      self.ssl = nil
      return nil
    }
    SSL_set_accept_state(ssl)
  }

  deinit { close() }

  func handshake() -> Handshake {
    guard let ssl else { return .failed }
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    if result == 1 { return .done }
    return isWaiting(result) ? .wouldBlock : .failed
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportResult {
    guard let ssl else { return .failed }
    ERR_clear_error()
    let result = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
    if result > 0 { return .bytes(Int(result)) }
    if isWaiting(result) { return .wouldBlock }
    return SSL_get_error(ssl, result) == SSL_ERROR_ZERO_RETURN ? .ended : .failed
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> TransportResult {
    guard let ssl else { return .failed }
    ERR_clear_error()
    let result = SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count))
    if result > 0 { return .bytes(Int(result)) }
    return isWaiting(result) ? .wouldBlock : .failed
  }

  /// Sends the alert that ends the stream, without waiting for the peer's.
  func endOutput() {
    guard let ssl, SSL_is_init_finished(ssl) == 1 else { return }
    ERR_clear_error()
    SSL_shutdown(ssl)
  }

  func close() {
    if let ssl { SSL_free(ssl) }
    ssl = nil
  }

  private func isWaiting(_ result: Int32) -> Bool {
    let error = SSL_get_error(ssl, result)
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
  }
}
