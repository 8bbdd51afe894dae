/// Something that sync could not do, and what to do about it.
public struct SyncError: Error, Hashable, Sendable {
  /// What went wrong, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The store's kind has no place for what sync has to remember.
    case unsupportedStore
    /// The store's sync was set up by a later version of Contrail.
    case newerTables
    /// The store is synced with another container than was asked for.
    case otherContainer
    /// Sync was never set up for the store.
    case notSetUp
    /// The schema has parts that no record can hold.
    case unmappedSchema
    /// The server's answer makes no sense.
    case badAnswer
    /// Another process syncs the store.
    case busy
    /// Something has to be sent first.
    case pendingChanges
    /// What was asked for is not there.
    case notFound
    /// A file of a value cannot be read.
    case unreadableFile
    /// The engine was stopped.
    case stopped
    /// Nothing says where the records of a store are.
    case noTarget
    /// Several stores are mirrored, and nothing says which one is meant.
    case severalTargets
    /// Two stores are to be mirrored to one zone.
    case sharedZone
    /// A text is no address of a server, or one that tokens are not sent to.
    case badAddress
    /// Nothing says who the program and the user are.
    case noCredentials
    /// Credentials cannot be used as they are.
    case badCredentials
    /// A store cannot be changed, so that nothing can be merged into it.
    case readOnly
  }

  /// What went wrong.
  public var code: Code
  /// What it went wrong with.
  public var subject: String
  /// What happened, as half a sentence that begins with a verb.
  public var message: String
  /// What to do about it.
  public var fix: String?

  /// Describes a failure.
  public init(_ code: Code, _ subject: String, _ message: String, fix: String? = nil) {
    self.code = code
    self.subject = subject
    self.message = message
    self.fix = fix
  }
}

extension SyncError {
  /// A page of an answer leads to itself: it would be read for ever.
  static func noProgress(_ call: String) -> SyncError {
    SyncError(
      .badAnswer, call, "has more to tell, and gives the same page again",
      fix: "see whether something between here and the server keeps answers")
  }
}

extension SyncError: CustomStringConvertible {
  /// Subject, message and fix in one line.
  public var description: String { "\(subject): \(message)" + (fix.map { "; \($0)" } ?? "") }
}
