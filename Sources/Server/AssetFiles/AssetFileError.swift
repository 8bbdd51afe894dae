/// Why a file of an asset cannot be kept or read.
public struct AssetFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures.
  public enum Code: String, Hashable, Sendable {
    /// The folder cannot be made or used.
    case cannotOpen
    /// The disk does not take the file.
    case cannotWrite
    /// The file is there and cannot be read.
    case cannotRead
    /// The file is longer than an asset may be.
    case tooLarge
  }

  /// What kind of failure it is.
  public var code: Code
  /// The file or folder.
  public var path: String
  /// What happened, as half a sentence about the file.
  public var message: String
  /// What to do about it.
  public var fix: String

  /// File, message, code and fix in one line.
  public var description: String { "\(path): \(message) [\(code.rawValue)]; \(fix)" }
}
