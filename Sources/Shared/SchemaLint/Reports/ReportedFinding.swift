package import SchemaFormats

/// One line of a report: a finding, or something to say about the lint's own files, with all that
/// the formats show.
package struct ReportedFinding: Hashable, Sendable {
  /// The rule's name.
  package var rule: String
  /// How bad it is.
  package var severity: Severity
  /// The part that offends, as waivers name it.
  package var subject: String
  /// What kind of part that is, in words; nil for what is no part of a schema.
  package var kind: String?
  /// Where it stands.
  package var location: SourceLocation
  /// What is wrong with which named thing, in one sentence without a full stop.
  package var message: String
  /// Why it matters.
  package var why: String
  /// What to do.
  package var fix: String
  /// The promoted versions that it breaks, oldest first.
  package var against: [String]
  /// The same in every run for the same finding, and unique in its report.
  package var fingerprint: String
  /// Why it does not count; nil for one that does.
  package var suppression: Suppression?

  /// Everything in one paragraph, for formats that have but one text; viewers that are short of room
  /// show its first sentence.
  package var sentences: String {
    let breaks = against.isEmpty ? nil : "it breaks apps of \(against.joined(separator: ", "))"
    let texts = [message, why, breaks, "to mend it: \(fix)"]
    return texts.compactMap { $0?.asSentence }.joined(separator: " ")
  }

  /// Whether a waiver can accept it.
  package var isWaivable: Bool { kind != nil }

  /// Why a finding does not count.
  package struct Suppression: Hashable, Sendable {
    /// What accepts a finding.
    package enum Origin: String, Sendable, CaseIterable {
      case waiver, baseline
    }

    /// What accepts it.
    package var origin: Origin
    /// Why, in the words of the one who wrote it.
    package var reason: String
    /// The last day on which it is accepted; nil for ever.
    package var expires: CalendarDate?
    /// Where that is written.
    package var location: SourceLocation?
  }
}
