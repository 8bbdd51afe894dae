package import DataModel
package import SchemaFormats

/// What apps of older versions see once apps with the schema in hand are in use as well.
///
/// A value to render: `text` is how a person reads it.
package struct ImpactReport: Hashable, Sendable {
  /// The older versions, oldest first.
  package var versions: [Version]

  /// What one older version sees.
  package struct Version: Hashable, Sendable {
    /// What to call the version.
    package var label: String
    /// What changes for it, in the order of the file in hand.
    package var entries: [Entry]
  }

  /// One change as an older version meets it.
  package struct Entry: Hashable, Sendable {
    /// The part that changed.
    package var element: SchemaElement
    /// What kind of difference it makes.
    package var effect: ImpactEffect
    /// The rest of a sentence that begins with the version's label.
    package var sentence: String
    /// Where the part stands in the file in hand.
    package var location: SourceLocation
  }
}

/// What kind of difference a change makes to an older app.
package enum ImpactEffect: String, Sendable, CaseIterable {
  /// It does not fetch objects at all, because they say that they are too new for it.
  case hidden
  /// It does not see what newer apps add.
  case unseen
  /// It goes on showing what newer apps no longer write.
  case stale
  /// It sees the same thing in another way than newer apps.
  case different
  /// It is refused what it could do.
  case refused
}

extension ImpactReport {
  /// Compares `current` with each of `older`, oldest first.
  ///
  /// ```swift
  /// print(ImpactReport(of: current, on: [first, second], profile: .cloudkit).text)
  /// // FlightLog 1
  /// //   does not see LogEntry.remarks, and keeps its value when it edits an object
  /// ```
  package init(of current: SchemaDocument, on older: [SchemaDocument], profile: LintProfile) {
    let documents = Linter.carryingCanonicalNames(older + [current])
    let subjects = documents.map { LintSubject($0, profile: profile) }
    versions =
      subjects.last.map { new in
        subjects.dropLast().map { Version(LintPair(old: $0, new: new)) }
      } ?? []
  }

  /// The report for a person: each version with its sentences, then the numbers.
  package var text: String {
    let groups = versions.map { version in
      let sentences = version.entries.map(\.sentence)
      return ([version.label] + (sentences.isEmpty ? ["sees everything as before"] : sentences))
        .joined(separator: "\n  ")
    }
    return (groups + [summary]).joined(separator: "\n")
  }

  /// The numbers in one line.
  package var summary: String {
    let entries = versions.flatMap(\.entries)
    let counts = ImpactEffect.allCases.compactMap { effect -> String? in
      let count = entries.count { $0.effect == effect }
      return count == 0 ? nil : "\(count) \(effect.rawValue)"
    }
    let subject = "\(versions.count) older version\(versions.count == 1 ? "" : "s")"
    return counts.isEmpty
      ? "\(subject), no differences" : "\(subject) · \(counts.joined(separator: ", "))"
  }
}

extension ImpactReport.Version {
  fileprivate init(_ pair: LintPair) {
    let entries = pair.impactChanges.compactMap { change in
      let site = ImpactSite(change: change, pair: pair)
      return ImpactRow.table[ImpactKey(change)]?.lazy.compactMap { $0.entry(for: site) }.first
    }
    self.init(
      label: pair.old.label,
      entries: entries.enumerated()
        .sorted {
          ($0.element.location.position, $0.offset) < ($1.element.location.position, $1.offset)
        }
        .map(\.element))
  }
}

extension LintPair {
  /// The changes on the level that both sides have, and the properties that objects lost only
  /// because their entity has another parent.
  fileprivate var impactChanges: [SchemaChange] {
    guard let evolution else { return recordChanges }
    return objectChanges
      + evolution.lost.filter { $0.reason == .notInherited }
      .map { SchemaChange($0.element, .removed) }
  }
}
