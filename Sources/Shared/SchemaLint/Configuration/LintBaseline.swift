package import SchemaFormats

/// Old debts that are accepted as they are: findings by rule and part, each so many times.
package struct LintBaseline: Hashable, Sendable {
  /// One accepted finding.
  package struct Entry: Hashable, Sendable {
    /// Which.
    package var key: FindingKey
    /// How many findings with that key there are.
    package var count: Int
    /// Where it stands in the baseline file; nil for one that was made.
    package var location: SourceLocation?

    package init(key: FindingKey, count: Int = 1, location: SourceLocation? = nil) {
      self.key = key
      self.count = count
      self.location = location
    }
  }

  /// What is accepted, sorted by key when it was made from findings.
  package var entries: [Entry]

  package init(entries: [Entry]) {
    self.entries = entries
  }

  /// The baseline that accepts exactly these findings.
  package init(accepting findings: [Finding]) {
    let counts = Dictionary(findings.map { (FindingKey($0), 1) }, uniquingKeysWith: +)
    entries = counts.sorted { $0.key < $1.key }.map { Entry(key: $0.key, count: $0.value) }
  }
}

/// What is left of findings when a baseline has been applied, and what became of the baseline.
package struct BaselineOutcome: Hashable, Sendable {
  /// A finding, and the entry that accepts it.
  package struct Accepted: Hashable, Sendable {
    package var finding: Finding
    package var entry: LintBaseline.Entry
  }

  /// An entry for more findings than there are.
  package struct Outdated: Hashable, Sendable {
    package var entry: LintBaseline.Entry
    package var foundCount: Int
  }

  /// Findings that the baseline does not know.
  package private(set) var kept: [Finding] = []
  /// Findings that it accepts.
  package private(set) var accepted: [Accepted] = []
  /// Entries for what is no longer found.
  package private(set) var outdated: [Outdated] = []

  /// Applies `baseline` to `findings`.
  ///
  /// `waived` findings use up no entry, but prove that the debt is still there.
  package init(_ findings: [Finding], baseline: LintBaseline?, waived: [Finding] = []) {
    let entries = baseline?.entries ?? []
    var foundCounts = [Int](repeating: 0, count: entries.count)
    let places = Dictionary(grouping: entries.indices) { entries[$0].key }
    func place(for finding: Finding) -> Int? {
      places[FindingKey(finding)]?.first { foundCounts[$0] < entries[$0].count }
    }
    for finding in findings {
      guard let place = place(for: finding) else {
        kept.append(finding)
        continue
      }
      foundCounts[place] += 1
      accepted.append(Accepted(finding: finding, entry: entries[place]))
    }
    for finding in waived {
      if let place = place(for: finding) { foundCounts[place] += 1 }
    }
    outdated = zip(entries, foundCounts).filter { $0.count > $1 }
      .map { Outdated(entry: $0, foundCount: $1) }
  }
}
