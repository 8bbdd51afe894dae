public import DataModel

/// One change of a schema, for people and for programs.
public struct SchemaChangeLine: Hashable, Sendable {
  /// The change in words.
  public var line: String
  /// `added`, `removed`, `renamed` or `changed`.
  public var change: String
  /// What kind of part it is: `field`, `record type`.
  public var part: String
  /// Which part it is: `Note.title`.
  public var element: String
  /// The feature that changes, where the part stays.
  public var aspect: String?

  /// Describes a change.
  public init(line: String, change: String, part: String, element: String, aspect: String? = nil) {
    self.line = line
    self.change = change
    self.part = part
    self.element = element
    self.aspect = aspect
  }

  /// Describes a difference of two schemas.
  public init(_ change: SchemaChange) {
    let word: String
    switch change.kind {
    case .added: word = "added"
    case .removed: word = "removed"
    case .renamed: word = "renamed"
    case .changed: word = "changed"
    }
    self.init(
      line: change.description, change: word, part: change.element.kindName,
      element: change.element.description, aspect: change.aspect?.rawValue)
  }
}

/// One finding of the lint.
public struct SchemaFindingLine: Hashable, Sendable {
  /// The rule's name.
  public var rule: String
  /// `note`, `warning` or `error`.
  public var severity: String
  /// Which part it is about.
  public var subject: String
  /// What is wrong.
  public var message: String
  /// Why it matters.
  public var why: String
  /// What to do.
  public var fix: String
  /// Where it stands, as `file:line:column`.
  public var place: String?

  /// Describes a finding.
  public init(
    rule: String, severity: String, subject: String, message: String, why: String, fix: String,
    place: String? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.subject = subject
    self.message = message
    self.why = why
    self.fix = fix
    self.place = place
  }
}

/// One reason why a schema is refused.
public struct SchemaRefusalLine: Hashable, Sendable {
  /// The kind of problem; a finding of the lint has its rule's name.
  public var code: String
  /// Which part it is about.
  public var subject: String
  /// What is wrong.
  public var message: String
  /// What to do.
  public var fix: String
  /// Where it stands, as `file:line:column`.
  public var place: String?

  /// Describes a reason.
  public init(code: String, subject: String, message: String, fix: String, place: String? = nil) {
    self.code = code
    self.subject = subject
    self.message = message
    self.fix = fix
    self.place = place
  }
}

/// One act of somebody who managed the schema.
public struct SchemaAuditLine: Hashable, Sendable {
  /// Counts from 1.
  public var number: Int64
  /// `imported`, `promoted` or `reset`.
  public var act: String
  /// The name of the user or of the token.
  public var name: String
  /// When it was, in milliseconds since 1970.
  public var timestamp: Int64
  /// The version that it led to.
  public var version: Int64
  /// What changed, in words.
  public var changes: [String]
  /// Rules that were passed over.
  public var accepted: [String]

  /// Describes an act.
  public init(
    number: Int64, act: String, name: String, timestamp: Int64, version: Int64, changes: [String],
    accepted: [String] = []
  ) {
    self.number = number
    self.act = act
    self.name = name
    self.timestamp = timestamp
    self.version = version
    self.changes = changes
    self.accepted = accepted
  }
}
