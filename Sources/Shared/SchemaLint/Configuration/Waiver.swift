import DataModel
package import SchemaFormats

/// A finding that is accepted: which, why, and for how long.
package struct Waiver: Hashable, Sendable {
  /// The rule whose findings are waived.
  package var rule: String
  /// The parts at which they are waived.
  package var subject: Subject
  /// Why; never empty.
  package var reason: String
  /// The last day on which the waiver counts; nil for ever.
  package var expires: CalendarDate?
  /// Where it stands in the configuration.
  package var location: SourceLocation

  package init(
    rule: String, subject: Subject, reason: String, expires: CalendarDate? = nil,
    location: SourceLocation
  ) {
    self.rule = rule
    self.subject = subject
    self.reason = reason
    self.expires = expires
    self.location = location
  }

  /// Whether the waiver no longer counts on that day.
  package func isExpired(on today: CalendarDate) -> Bool {
    expires.map { today > $0 } ?? false
  }

  /// Whether it speaks of this finding, whatever the date.
  package func covers(_ finding: Finding) -> Bool {
    finding.rule == rule && subject.contains(finding.element, named: finding.subject)
  }
}

extension Waiver {
  /// The parts of a schema that a waiver speaks of.
  package enum Subject: Hashable, Sendable, CustomStringConvertible {
    /// `*`: every part.
    case everything
    /// `Entity.*`: the entity or record type, and every part of it.
    case partsOf(String)
    /// `Entity.property`, `Entity`: the one part that findings name so.
    case part(String)

    package init(_ text: String) {
      if text == "*" {
        self = .everything
      } else if text.hasSuffix(".*") {
        self = .partsOf(String(text.dropLast(2)))
      } else {
        self = .part(text)
      }
    }

    package var description: String {
      switch self {
      case .everything: "*"
      case .partsOf(let owner): "\(owner).*"
      case .part(let name): name
      }
    }

    /// Whether it speaks of `element`, which findings call `name`.
    func contains(_ element: SchemaElement, named name: String) -> Bool {
      switch self {
      case .everything: true
      case .partsOf(let owner): element.ownerName == owner
      case .part(let part): name == part
      }
    }
  }
}
