import SQLiteDriver

/// Why users, tokens or keys could not be read or changed: what it is about, what is wrong, and what to do.
public struct AccountError: Error, Hashable, Sendable {
  /// The kinds of failures.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The file is something else.
    case notAnAccountFile
    /// A newer version of Contrail made the file.
    case newerFormat
    /// The file contradicts itself.
    case damaged
    /// The file cannot be opened, read or written.
    case cannotOpen
    /// Another process kept the file locked for too long.
    case busy
    /// There is no such user, token or key.
    case unknown
    /// A user has that name already.
    case nameTaken
    /// A name is empty, too long, or has characters that it may not have.
    case invalidName
    /// A password is too short or too long.
    case invalidPassword
    /// A text is no origin of web pages.
    case invalidOrigin
    /// A text is no address that a sign-in can end at.
    case invalidCallback
    /// A text is not the public half of a P-256 key.
    case invalidKey
    /// A token would end before it begins, or too late.
    case invalidLife
    /// There would be more of something than there may be.
    case tooMany
    /// The system gave no random bytes.
    case noRandomness
    /// OpenSSL could not compute a hash.
    case noHash
  }

  /// What kind of failure it is.
  public var code: Code
  /// What it is about: a file, a user, a token.
  public var subject: String
  /// What is wrong, as half a sentence about the subject.
  public var message: String
  /// What to do about it.
  public var fix: String

  init(_ code: Code, _ subject: String, _ message: String, fix: String) {
    self.code = code
    self.subject = subject
    self.message = message
    self.fix = fix
  }
}

extension AccountError: CustomStringConvertible {
  /// Subject, message, code and fix in one line.
  public var description: String { "\(subject): \(message) [\(code.rawValue)]; \(fix)" }
}

extension AccountError {
  /// What SQLite refused, in our words.
  init(_ error: SQLiteError, path: String) {
    switch error.code {
    case .notADatabase:
      self.init(
        .notAnAccountFile, path, "is not a file of accounts",
        fix: "name another file, or take this one away")
    case .corrupt, .mismatch, .schema, .error:
      self.init(
        .damaged, path, "is damaged: \(error.message)",
        fix: "restore it from a copy; tokens and keys made since then have to be made anew")
    case .busy, .locked:
      self.init(
        .busy, path, "is kept locked by another process",
        fix: "try again; if it stays so, look for a command that hangs")
    default:
      self.init(
        .cannotOpen, path, "cannot be used: \(error.message)",
        fix: "check who may write to the file and its folder, and the space on the disk")
    }
  }

  /// A row that cannot have been written by us.
  static func damagedRow(_ path: String, _ table: String) -> AccountError {
    AccountError(
      .damaged, path, "has a row of \(table) that makes no sense",
      fix: "restore it from a copy; tokens and keys made since then have to be made anew")
  }

  static func noHash(_ subject: String) -> AccountError {
    AccountError(
      .noHash, subject, "OpenSSL could not compute a hash",
      fix: "check the memory that is left and the installation of libcrypto")
  }

  static func unknown(_ kind: String, _ name: String, list: String) -> AccountError {
    AccountError(
      .unknown, "\(kind) \(name.shownInErrors)", "is not there", fix: "see which there are: \(list)"
    )
  }
}

extension String {
  /// The text without what would break a line, or its beginning where it is long.
  var shownInErrors: String {
    let shown = unicodeScalars.prefix(64).map { scalar in
      scalar.value < 0x20 || scalar.value == 0x7f ? "?" : String(scalar)
    }
    return shown.joined() + (unicodeScalars.count > 64 ? "…" : "")
  }
}
