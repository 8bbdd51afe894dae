/// Why a file cannot be used to keep records.
public struct StorageFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures.
  public enum Code: String, Hashable, Sendable {
    /// The file is a database of another program.
    case notAStorage
    /// A newer version of Contrail made the file.
    case newerFormat
    /// The file cannot be opened or read.
    case cannotOpen
  }

  /// What kind of failure it is.
  public var code: Code
  /// The file.
  public var path: String
  /// What happened, as half a sentence about the file.
  public var message: String
  /// What to do about it.
  public var fix: String

  /// File, message, code and fix in one line.
  public var description: String { "\(path): \(message) [\(code.rawValue)]; \(fix)" }
}
