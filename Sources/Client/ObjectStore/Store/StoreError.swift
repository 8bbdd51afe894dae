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
    /// A file cannot be opened.
    public static let cannotOpen = Code("cannotOpen")
    /// A file is of another program.
    public static let notAStore = Code("notAStore")
    /// A newer version of Contrail made the file.
    public static let newerFormat = Code("newerFormat")
    /// A file is damaged.
    public static let corrupt = Code("corrupt")
    /// A store may only be read.
    public static let readOnly = Code("readOnly")
    /// Nothing was written; the disk or SQLite refused.
    public static let writeFailed = Code("writeFailed")
    /// Something could not be read.
    public static let readFailed = Code("readFailed")
    /// Another process holds the store.
    public static let busy = Code("busy")
    /// The store has another version of the schema.
    public static let incompatibleVersionHash = Code("incompatibleVersionHash")
    // Names and values.
    /// The schema has no such entity.
    public static let unknownEntity = Code("unknownEntity")
    /// An abstract entity has no objects.
    public static let abstractEntity = Code("abstractEntity")
    /// The entity has no such property.
    public static let unknownProperty = Code("unknownProperty")
    /// A property cannot be set.
    public static let readOnlyProperty = Code("readOnlyProperty")
    /// A value is of another type than the attribute.
    public static let wrongType = Code("wrongType")
    /// A relationship holds one object, not several, or the other way round.
    public static let wrongCardinality = Code("wrongCardinality")
    /// A relationship holds objects of another entity.
    public static let wrongDestination = Code("wrongDestination")
    /// An object belongs to another context.
    public static let otherContext = Code("otherContext")
    /// A value cannot be decoded.
    public static let unreadableValue = Code("unreadableValue")
    /// A value cannot be encoded.
    public static let unwritableValue = Code("unwritableValue")
    /// An object is no longer in the store.
    public static let missingObject = Code("missingObject")
    /// An object was to be related to one that is deleted.
    public static let deletedObject = Code("deletedObject")
    /// A schema that no store can have.
    public static let invalidSchema = Code("invalidSchema")
    /// A derived attribute has an expression that cannot be computed.
    public static let invalidDerivation = Code("invalidDerivation")
    // Fetching.
    /// A fetch asks for something that makes no sense.
    public static let invalidFetch = Code("invalidFetch")
    /// A condition cannot be asked.
    public static let unsupportedPredicate = Code("unsupportedPredicate")
    /// Batches cannot have changes that are not saved.
    public static let includePendingChangesWithBatchSize = Code(
      "includePendingChangesWithBatchSize")
    // Saving.
    /// Several things keep changes from being saved.
    public static let validation = Code("validation")
    /// A required property has no value.
    public static let missingValue = Code("missingValue")
    /// A number or date is beyond its limits.
    public static let outOfRange = Code("outOfRange")
    /// A text is too short or too long.
    public static let wrongLength = Code("wrongLength")
    /// A text does not match its pattern.
    public static let noMatch = Code("noMatch")
    /// A relationship has too few objects.
    public static let tooFew = Code("tooFew")
    /// A relationship has too many objects.
    public static let tooMany = Code("tooMany")
    /// A delete rule refuses a deletion.
    public static let deleteDenied = Code("deleteDenied")
    /// The store was changed meanwhile.
    public static let conflict = Code("conflict")
    /// A unique value is taken.
    public static let notUnique = Code("notUnique")
    // Contexts.
    /// A block that was handed over failed.
    public static let blockFailed = Code("blockFailed")
    /// Saving by itself failed.
    public static let autosaveFailed = Code("autosaveFailed")
    /// Something needs a context that is at home somewhere.
    public static let noIsolation = Code("noIsolation")
    /// A relationship leads to another store.
    public static let crossesStores = Code("crossesStores")
    /// An entity is in no store, or in two.
    public static let unassignedEntity = Code("unassignedEntity")
    // History.
    /// What a token stands at was purged.
    public static let historyExpired = Code("historyExpired")
    /// A reader has not read what is to be purged.
    public static let historyUnread = Code("historyUnread")
    /// A token is of another store, or ahead of it.
    public static let invalidToken = Code("invalidToken")
    // Migration.
    /// Something stands in the way of a migration.
    public static let migrationNeeded = Code("migrationNeeded")
    /// A migration failed and changed nothing.
    public static let migrationFailed = Code("migrationFailed")
    /// No plan leads on from the version that the store has.
    public static let unknownSchema = Code("unknownSchema")
    /// The store has a later version than the plan.
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
