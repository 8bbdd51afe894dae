import ObjectStore

/// What went wrong: a code to match, what it happened to, what happened, and what to do about it.
///
/// ```swift
/// catch SwiftDataError.unsupportedPredicate { … }        // by code, whatever it happened to
/// catch let error as SwiftDataError { print(error.subject, error.message, error.fix ?? "") }
/// catch let error as StoreError { print(error.failures) }  // what the store itself refuses, with all of it
/// ```
public struct SwiftDataError: Error, Sendable {
  /// What kind of failure it is.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code as logs show it.
    public let rawValue: String
    /// Takes a code's text.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// What kind of failure it is.
  public var code: Code
  /// What it happened to.
  public var subject: String
  /// What happened, as half a sentence about the subject.
  public var message: String
  /// What to do about it; nil where the message says it.
  public var fix: String?

  /// Describes a failure.
  public init(_ code: Code, _ subject: String, _ message: String, fix: String? = nil) {
    self.code = code
    self.subject = subject
    self.message = message
    self.fix = fix
  }

  private init(_ code: String) { self.init(Code(rawValue: code), "", "") }
}

extension SwiftDataError: Hashable {
  /// Whether both are of one kind.
  public static func == (first: SwiftDataError, second: SwiftDataError) -> Bool {
    first.code == second.code
  }

  /// Feeds the kind into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// Whether an error that was caught is of this kind, also one of the store.
  public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
    if let error = error as? SwiftDataError { return error.code == pattern.code }
    guard let error = error as? StoreError else { return false }
    return Self.codes[pattern.code.rawValue]?.contains(error.code) ?? false
  }
}

extension SwiftDataError: CustomStringConvertible {
  /// Subject, message, code and fix.
  public var description: String {
    "\(subject): \(message) [\(code.rawValue)]" + (fix.map { "; \($0)" } ?? "")
  }
}

// The kinds that SwiftData knows, to match what was caught.
extension SwiftDataError {
  /// Batches cannot have changes that are not saved.
  public static let includePendingChangesWithBatchSize = SwiftDataError(
    "includePendingChangesWithBatchSize")
  /// A predicate cannot be asked.
  public static let unsupportedPredicate = SwiftDataError("unsupportedPredicate")
  /// A key path leads to no property that is kept.
  public static let unsupportedKeyPath = SwiftDataError("unsupportedKeyPath")
  /// A sort descriptor cannot be asked.
  public static let unsupportedSortDescriptor = SwiftDataError("unsupportedSortDescriptor")
  /// Identifiers cannot be sorted with changes that are not saved.
  public static let sortingPendingChangesWithIdentifiers = SwiftDataError(
    "sortingPendingChangesWithIdentifiers")
  /// Two configurations have the same name, file or entity.
  public static let duplicateConfiguration = SwiftDataError("duplicateConfiguration")
  /// A configuration's name makes a file name that is too long.
  public static let configurationFileNameTooLong = SwiftDataError("configurationFileNameTooLong")
  /// A configuration's name cannot be part of a file name.
  public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
    "configurationFileNameContainsInvalidCharacters")
  /// A configuration has an entity that the container has not.
  public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
    "configurationSchemaNotFoundInContainerSchema")
  /// A container cannot be made.
  public static let loadIssueModelContainer = SwiftDataError("loadIssueModelContainer")
  /// Models have values that they may not have.
  public static let modelValidationFailure = SwiftDataError("modelValidationFailure")
  /// A model belongs to no context.
  public static let missingModelContext = SwiftDataError("missingModelContext")
  /// A store has a later version than the plan.
  public static let backwardMigration = SwiftDataError("backwardMigration")
  /// A store has a schema that is neither the container's nor one of its plan.
  public static let unknownDataStoreSchema = SwiftDataError("unknownDataStoreSchema")
  /// No plan leads on from the version that a store has.
  public static let unknownSchema = SwiftDataError("unknownSchema")
  /// History after a token is not kept any more.
  public static let historyTokenExpired = SwiftDataError("historyTokenExpired")
  /// A request for transactions makes no sense.
  public static let invalidTransactionFetchRequest = SwiftDataError(
    "invalidTransactionFetchRequest")

  /// Which of the store's codes are of which kind.
  private static let codes: [String: Set<StoreError.Code>] = [
    "includePendingChangesWithBatchSize": [.includePendingChangesWithBatchSize],
    "unsupportedPredicate": [.unsupportedPredicate],
    "unsupportedKeyPath": [.unknownProperty],
    "duplicateConfiguration": [.unassignedEntity],
    "loadIssueModelContainer": [
      .cannotOpen, .notAStore, .newerFormat, .corrupt, .readOnly, .busy, .invalidSchema,
      .incompatibleVersionHash, .migrationNeeded, .migrationFailed,
    ],
    "modelValidationFailure": [
      .validation, .missingValue, .outOfRange, .wrongLength, .noMatch, .tooFew, .tooMany,
      .deleteDenied, .notUnique,
    ],
    "backwardMigration": [.backwardMigration],
    "unknownDataStoreSchema": [.unknownSchema, .incompatibleVersionHash, .migrationNeeded],
    "unknownSchema": [.unknownSchema],
    "historyTokenExpired": [.historyExpired],
    "invalidTransactionFetchRequest": [.invalidToken],
  ]
}
