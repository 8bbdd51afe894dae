import DataModel
import FoundationEssentials
import SchemaFormats

extension Rule {
  static let limitsContradictory = Rule(
    "limits-contradictory", .pitfall, .error,
    summary: "Every minimum is a number, and no greater than its maximum.",
    why: "no value keeps both limits, so that no object with a value can be saved",
    fix: "correct the minimum or the maximum",
    check: { pass in
      let attributes = Rule.attributes { site in
        let limits = Limits(of: site.attribute)
        guard limits.areNumbers else { return (.minimumValue, "has a limit that is no number") }
        guard let minimum = limits.minimum, let maximum = limits.maximum, minimum > maximum else {
          return nil
        }
        return (
          .minimumValue,
          "has the minimum \(limits.minimumText) above the maximum \(limits.maximumText)"
        )
      }
      let relationships = Rule.relationships { site in
        let (minimum, maximum) = (site.relationship.minimumCount, site.relationship.maximumCount)
        if minimum < 0 { return (.minimumCount, "has a minimum count below zero, \(minimum)") }
        if maximum < 0 { return (.maximumCount, "has a maximum count below zero, \(maximum)") }
        guard maximum > 0, minimum > maximum else { return nil }
        return (.minimumCount, "must hold at least \(minimum) and at most \(maximum)")
      }
      return attributes(pass) + relationships(pass)
    })
}

/// The limits of an attribute as numbers: of a text its length, of a date seconds since 2001.
struct Limits {
  let minimumText: String
  let maximumText: String
  let minimum: Double?
  let maximum: Double?
  /// Whether the limits that there are can be read.
  let areNumbers: Bool

  init(of attribute: Schema.Attribute) {
    let (low, high) = (attribute.validation.minimum, attribute.validation.maximum)
    minimumText = low ?? "none"
    maximumText = high ?? "none"
    minimum = low.flatMap(\.plainNumber)
    maximum = high.flatMap(\.plainNumber)
    areNumbers = (low == nil || minimum != nil) && (high == nil || maximum != nil)
  }

  /// What of a value the limits limit.
  func measure(_ value: FieldValue?) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): Double(number.description)
    case .string(let text): Double(text.utf16.count)
    case .date(let date): date.timeIntervalSinceReferenceDate
    default: nil
    }
  }
}
