import DataModel

/// What went wrong in a store or a context: a code to match, what it happened to, and what to do.
public struct StoreError: Error, Hashable, Sendable {
  /// What kind of failure it is.
  public var code: Code
  /// What it happened to: a file, an entity, a property.
  public var subject: String
  /// What happened, as half a sentence about the subject.
  public var message: String
  /// What to do about it; nil where the message says it.
  public var fix: String?
  /// The single failures, where several were found at once.
  public var failures: [StoreError]

  /// Describes a failure.
  public init(
    _ code: Code, _ subject: String, _ message: String, fix: String? = nil,
    failures: [StoreError] = []
  ) {
    self.code = code
    self.subject = subject
    self.message = message
    self.fix = fix
    self.failures = failures
  }
}

extension StoreError {
  /// The kinds of failures.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code as logs and `--json` show it.
    public let rawValue: String

    /// Takes a code's text.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ text: String) { rawValue = text }

    // Files.
    public static let cannotOpen = Code("cannotOpen")
    public static let notAStore = Code("notAStore")
    public static let newerFormat = Code("newerFormat")
    public static let corrupt = Code("corrupt")
    public static let readOnly = Code("readOnly")
    public static let writeFailed = Code("writeFailed")
    public static let readFailed = Code("readFailed")
    public static let busy = Code("busy")
    public static let incompatibleVersionHash = Code("incompatibleVersionHash")
    // Names and values.
    public static let unknownEntity = Code("unknownEntity")
    public static let abstractEntity = Code("abstractEntity")
    public static let unknownProperty = Code("unknownProperty")
    public static let readOnlyProperty = Code("readOnlyProperty")
    public static let wrongType = Code("wrongType")
    public static let wrongCardinality = Code("wrongCardinality")
    public static let wrongDestination = Code("wrongDestination")
    public static let otherContext = Code("otherContext")
    public static let unreadableValue = Code("unreadableValue")
    public static let missingObject = Code("missingObject")
    public static let invalidDerivation = Code("invalidDerivation")
    // Fetching.
    public static let invalidFetch = Code("invalidFetch")
    public static let unsupportedPredicate = Code("unsupportedPredicate")
    public static let includePendingChangesWithBatchSize = Code(
      "includePendingChangesWithBatchSize")
    // Saving.
    public static let validation = Code("validation")
    public static let missingValue = Code("missingValue")
    public static let outOfRange = Code("outOfRange")
    public static let wrongLength = Code("wrongLength")
    public static let noMatch = Code("noMatch")
    public static let tooFew = Code("tooFew")
    public static let tooMany = Code("tooMany")
    public static let deleteDenied = Code("deleteDenied")
    public static let conflict = Code("conflict")
    public static let notUnique = Code("notUnique")
    // Contexts.
    public static let blockFailed = Code("blockFailed")
    public static let autosaveFailed = Code("autosaveFailed")
    public static let noIsolation = Code("noIsolation")
    public static let crossesStores = Code("crossesStores")
    public static let unassignedEntity = Code("unassignedEntity")
    // History.
    public static let historyExpired = Code("historyExpired")
    public static let historyUnread = Code("historyUnread")
    public static let invalidToken = Code("invalidToken")
    // Migration.
    public static let migrationNeeded = Code("migrationNeeded")
    public static let migrationFailed = Code("migrationFailed")
    public static let unknownSchema = Code("unknownSchema")
    public static let backwardMigration = Code("backwardMigration")
  }
}

extension StoreError: CustomStringConvertible {
  /// Subject, message, code and fix, and the single failures, one in a line.
  public var description: String {
    let head = "\(subject): \(message) [\(code.rawValue)]" + (fix.map { "; \($0)" } ?? "")
    return ([head] + failures.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension StoreError {
  static func unknownEntity(_ name: String, among names: [String]) -> StoreError {
    StoreError(
      .unknownEntity, name, "no such entity in the schema",
      fix: "entities: \(names.joined(separator: ", "))")
  }

  static func unknownProperty(_ name: String, among names: [String]) -> StoreError {
    let shown = names.filter { !$0.hasSuffix(Slot.orderSuffix) }.joined(separator: ", ")
    return StoreError(
      .unknownProperty, name, "no such property, or one of another kind",
      fix: "properties: \(shown)")
  }

  static func readOnlyProperty(_ name: String, why: String) -> StoreError {
    StoreError(.readOnlyProperty, name, "cannot be set: \(why)")
  }

  static func wrongType(_ name: String, expected: String, found: FieldValue) -> StoreError {
    StoreError(.wrongType, name, "holds \(expected), not \(found.kind.rawValue) \(found.shown)")
  }

  static func wrongCardinality(_ name: String, isToMany: Bool) -> StoreError {
    StoreError(
      .wrongCardinality, name, isToMany ? "holds several objects" : "holds one object at most")
  }

  static func wrongDestination(_ name: String, expected: String, found: String) -> StoreError {
    StoreError(.wrongDestination, name, "holds objects of \(expected), not of \(found)")
  }

  static func otherContext(_ name: String) -> StoreError {
    StoreError(
      .otherContext, name, "the object belongs to another context",
      fix: "fetch it in this context, by its identity")
  }

  /// Keys are counted from 1: others can only have been written by another program.
  static func damagedKey(_ entity: String) -> StoreError {
    StoreError(
      .corrupt, entity, "has an object whose key is not positive", fix: "restore a backup")
  }
}
