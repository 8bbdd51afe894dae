import COpenSSL
import Glibc

/// The files of a certificate.
public struct TLSFiles: Hashable, Sendable {
  /// A PEM file with the server's certificate first and those that lead to its root behind it.
  public var certificateChain: String
  /// A PEM file with its private key.
  public var privateKey: String

  /// Names the files.
  public init(certificateChain: String, privateKey: String) {
    self.certificateChain = certificateChain
    self.privateKey = privateKey
  }
}

/// What new TLS connections begin with: certificate, key, versions.
///
/// `@unchecked Sendable`: after `init` it is only passed to `SSL_new`, which takes a reference of its own and may be called
/// by several threads at once (openssl-threads(7): an SSL_CTX may be used by many threads once it is set up).
final class TLSContext: @unchecked Sendable {
  private let context: OpaquePointer

  /// Reads the files.
  init(_ files: TLSFiles) throws(HTTPServerError) {
    try Self.checkReadable(files.certificateChain, what: "certificate")
    try Self.checkReadable(files.privateKey, what: "private key")
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw HTTPServerError(
        code: .tlsUnavailable, subject: "TLS", message: "OpenSSL made no context: \(Self.reason())",
        fix: "Check the installation of libssl.")
    }
    do throws(HTTPServerError) {
      try Self.load(files, into: context)
    } catch {
      SSL_CTX_free(context)
      throw error
    }
    self.context = context
  }

  deinit { SSL_CTX_free(context) }

  func makeSession() -> OpaquePointer? { SSL_new(context) }

  private static func load(
    _ files: TLSFiles, into context: OpaquePointer
  ) throws(HTTPServerError) {
    _ = contrail_ssl_ctx_at_least_tls12(context)
    contrail_ssl_ctx_set_modes(context)
    contrail_ssl_ctx_set_protocols(context)
    guard SSL_CTX_use_certificate_chain_file(context, files.certificateChain) == 1 else {
      throw HTTPServerError(
        code: .badCertificate, subject: files.certificateChain,
        message: "This file holds no usable certificate: \(reason())",
        fix: "Give a PEM file that begins with the server's certificate, its issuers behind it.")
    }
    guard SSL_CTX_use_PrivateKey_file(context, files.privateKey, SSL_FILETYPE_PEM) == 1 else {
      throw HTTPServerError(
        code: .badPrivateKey, subject: files.privateKey,
        message: "This file holds no private key that goes with the certificate: \(reason())",
        fix:
          "Give a PEM file with the key, without a passphrase, from which \(files.certificateChain) was made."
      )
    }
    guard SSL_CTX_check_private_key(context) == 1 else {
      throw HTTPServerError(
        code: .badPrivateKey, subject: files.privateKey,
        message: "This key and the certificate do not belong together: \(reason())",
        fix: "Give the key from which \(files.certificateChain) was made.")
    }
  }

  private static func checkReadable(_ path: String, what: String) throws(HTTPServerError) {
    guard access(path, R_OK) != 0 else { return }
    throw HTTPServerError(
      code: .unreadableFile, subject: path,
      message: "The \(what) cannot be read: \(HTTPServerError.text(errno))",
      fix: "Check the path, and that the server's user may read the file.")
  }

  private static func reason() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      guard let start = text.baseAddress else { return "" }
      contrail_ssl_first_error(start, Int32(text.count))
      return String(cString: start)
    }
  }
}
