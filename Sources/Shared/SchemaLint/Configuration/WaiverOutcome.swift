/// What is left of findings when waivers have been applied, and what became of the waivers.
package struct WaiverOutcome: Hashable, Sendable {
  /// A finding, and the waiver that accepts it.
  package struct Waived: Hashable, Sendable {
    package var finding: Finding
    package var waiver: Waiver
  }

  /// An expired waiver, and how many findings it would still cover.
  package struct Expired: Hashable, Sendable {
    package var waiver: Waiver
    package var findingCount: Int
  }

  /// Findings that no waiver accepts today.
  package private(set) var kept: [Finding] = []
  /// Findings that a waiver accepts, by the first one that does.
  package private(set) var waived: [Waived] = []
  /// Waivers that would cover kept findings, had they not expired.
  package private(set) var expired: [Expired] = []
  /// Waivers that cover nothing, expired or not.
  package private(set) var unused: [Waiver] = []

  /// Applies `waivers` to `findings`; a waiver still counts on the day on which it expires.
  package init(_ findings: [Finding], waivers: [Waiver], today: CalendarDate) {
    var useCounts = [Int](repeating: 0, count: waivers.count)
    let placesByRule = Dictionary(grouping: waivers.indices) { waivers[$0].rule }
    for finding in findings {
      let places = placesByRule[finding.rule] ?? []
      let name = places.isEmpty ? "" : finding.subject
      let covering = places.filter { waivers[$0].subject.contains(finding.element, named: name) }
      let valid = covering.filter { !waivers[$0].isExpired(on: today) }
      if let first = valid.first {
        waived.append(Waived(finding: finding, waiver: waivers[first]))
        for index in valid { useCounts[index] += 1 }
      } else {
        kept.append(finding)
        for index in covering { useCounts[index] += 1 }
      }
    }
    for (waiver, count) in zip(waivers, useCounts) {
      if count == 0 {
        unused.append(waiver)
      } else if waiver.isExpired(on: today) {
        expired.append(Expired(waiver: waiver, findingCount: count))
      }
    }
  }
}
