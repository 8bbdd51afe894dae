package import DataModel
package import SchemaFormats

/// What the lint tells its user: one offence with everything needed to judge and mend it.
package struct Finding: Hashable, Sendable {
  /// The rule's name.
  package var rule: String
  /// How bad it is.
  package var severity: Severity
  /// The part that offends.
  package var element: SchemaElement
  /// The feature of it, where one can be named.
  package var aspect: Aspect?
  /// Where it stands.
  package var location: SourceLocation
  /// What is wrong with which named thing.
  package var message: String
  /// Why it matters.
  package var why: String
  /// What to do.
  package var fix: String
  /// The promoted versions that it breaks, oldest first.
  package var against: [String]

  package init(
    rule: String, severity: Severity, element: SchemaElement, aspect: Aspect? = nil,
    location: SourceLocation, message: String, why: String, fix: String, against: [String] = []
  ) {
    self.rule = rule
    self.severity = severity
    self.element = element
    self.aspect = aspect
    self.location = location
    self.message = message
    self.why = why
    self.fix = fix
    self.against = against
  }

  /// The part as waivers and baselines name it: `Entity.property`.
  package var subject: String { element.description }
}
