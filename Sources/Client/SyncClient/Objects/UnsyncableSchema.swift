public import DataModel

/// Why a schema cannot be synced: everything that no record could hold as it is, at once.
public struct UnsyncableSchema: Error, Hashable, Sendable {
  /// How the objects were to be mapped.
  public var profile: MappingProfile
  /// What stands in the way, never empty.
  public var problems: [Problem]

  /// Says what stands in the way.
  public init(profile: MappingProfile, problems: [Problem]) {
    self.profile = profile
    self.problems = problems
  }

  /// The code as logs and `--json` show it.
  public static let code = "unsyncableSchema"

  /// One thing that stands in the way.
  public struct Problem: Hashable, Sendable {
    /// What it is about.
    public var subject: SchemaElement
    /// What is wrong, as half a sentence about the subject.
    public var message: String
    /// What to do about it.
    public var fix: String

    /// Describes a problem.
    public init(_ subject: SchemaElement, _ message: String, fix: String) {
      self.subject = subject
      self.message = message
      self.fix = fix
    }
  }
}

extension UnsyncableSchema: CustomStringConvertible {
  /// All problems, one in a line.
  public var description: String {
    let head = "the schema cannot be synced (profile \(profile.rawValue)) [\(Self.code)]"
    return ([head] + problems.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension UnsyncableSchema.Problem: CustomStringConvertible {
  /// Subject, message and fix.
  public var description: String { "\(subject): \(message); \(fix)" }
}

extension UnsyncableSchema.Problem {
  static func unmapped(_ subject: SchemaElement) -> Self {
    Self(
      subject, "no record can hold it",
      fix: "give it a type that means something elsewhere, or an inverse, or make it transient")
  }

  static func collision(_ collision: RecordMapping.Collision) -> Self {
    Self(collision.element, "\(collision)", fix: "rename what claims it")
  }

  static func archive(_ subject: SchemaElement) -> Self {
    Self(
      subject,
      "a composite is an archive of Core Data's in this profile, which Contrail cannot read",
      fix: "use attributes of the entity itself, or the native profile")
  }

  static func oneSided(_ subject: SchemaElement) -> Self {
    Self(
      subject, "its inverse does not name it as inverse",
      fix: "make both ends of the relationship name each other")
  }

  static func unknownRule(_ subject: SchemaElement, _ name: String, _ known: [String]) -> Self {
    Self(
      subject, "names the merge rule \"\(name)\", which there is not",
      fix: "rules: \(known.joined(separator: ", "))")
  }

  static func unfitRule(
    _ subject: SchemaElement, _ type: String, _ name: String, _ fit: [String]
  ) -> Self {
    Self(
      subject, "is of type \(type), with which the merge rule \"\(name)\" can do nothing",
      fix: "rules for it: \(fit.joined(separator: ", "))")
  }

  static func notLegacy(_ subject: SchemaElement, _ name: String) -> Self {
    Self(
      subject, "has \"\(name)\" itself, which is to be made for older versions",
      fix: "write the attribute where the others are written, or take it out of the schema")
  }

  static func noSuchField(_ subject: SchemaElement, _ role: String, _ name: String) -> Self {
    Self(
      subject, "its \(role) names \"\(name)\", which is in no field",
      fix: "name an attribute or a to-one relationship of the entity")
  }
}
