import DataModel
import SchemaFormats

/// An offence with the rule that found it, before its place is looked up.
struct Sighting {
  let rule: Rule
  let severity: Severity
  let offence: Offence
  /// The promoted versions that it breaks, oldest first.
  let against: [String]

  init(_ rule: Rule, _ severity: Severity, _ offence: Offence, against: [String]) {
    self.rule = rule
    self.severity = severity
    self.offence = offence
    self.against = against
  }

  func finding(in document: SchemaDocument) -> Finding {
    Finding(
      rule: rule.id, severity: severity, element: offence.element, aspect: offence.aspect,
      location: document.location(of: offence.place ?? offence.element, aspect: offence.aspect),
      message: offence.message, why: rule.why, fix: rule.fix, against: against)
  }
}

extension Sighting {
  /// The sightings less those that another one makes worse or as bad: a rule that knows what changed
  /// and the rule that it sharpens speak of one cause, which is told once.
  ///
  /// Of two equally bad ones the general rule's is kept, as it holds whatever was promoted.
  static func toldOnce(_ sightings: [Sighting]) -> [Sighting] {
    let byElement = Dictionary(grouping: sightings.indices) { sightings[$0].offence.element }
    var repeated: Set<Int> = []
    for (index, sighting) in sightings.enumerated() where !sighting.rule.sharpens.isEmpty {
      for other in byElement[sighting.offence.element] ?? []
      where sighting.rule.sharpens.contains(sightings[other].rule.id) {
        repeated.insert(sightings[other].severity < sighting.severity ? other : index)
      }
    }
    return sightings.indices.filter { !repeated.contains($0) }.map { sightings[$0] }
  }
}
