import CEpoll

/// Why a server cannot start, or cannot take a new certificate.
public struct HTTPServerError: Error, Hashable, Sendable {
  /// The kinds of failures.
  public enum Code: String, Hashable, Sendable {
    /// An address is none.
    case badAddress
    /// The address is in use, or may not be used.
    case cannotListen
    /// The system gave no event queue or thread.
    case noEventLoop
    /// A file is not there, or may not be read.
    case unreadableFile
    /// A certificate file is none.
    case badCertificate
    /// A key file is none, or belongs to another certificate.
    case badPrivateKey
    /// OpenSSL does not work.
    case tlsUnavailable
    /// The server was started without TLS.
    case notSecure
  }

  /// The kind of failure.
  public var code: Code
  /// The address or the file.
  public var subject: String
  /// What happened.
  public var message: String
  /// What to do.
  public var fix: String

  static func text(_ reason: Int32) -> String { String(cString: contrail_errno_text(reason)) }
}

extension HTTPServerError: CustomStringConvertible {
  /// Subject, message and fix in one line.
  public var description: String { "\(subject): \(message). \(fix)" }
}
