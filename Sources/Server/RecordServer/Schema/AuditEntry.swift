import DataModel

/// Who does something, and when: given by the caller, as the schema knows no clock.
package struct AuditMark: Hashable, Sendable {
  /// The name of the user or of the token.
  package var name: String
  /// Milliseconds since 1970.
  package var milliseconds: Int64

  package init(by name: String, at milliseconds: Int64) {
    self.name = name
    self.milliseconds = milliseconds
  }
}

/// One act of somebody who manages a container's schema.
package struct AuditEntry: Hashable, Sendable {
  /// What was done.
  package enum Act: String, Hashable, Sendable, CaseIterable {
    case imported, promoted, reset
  }

  /// Counts from 1; no number is given twice.
  package var number: Int64
  package var act: Act
  package var mark: AuditMark
  /// The schema's version that the act led to.
  package var version: Int64
  /// What changed, one line each.
  package var changes: [String]
  /// The rules that were passed over.
  package var accepted: [String]

  package init(
    number: Int64, act: Act, mark: AuditMark, version: Int64, changes: [String],
    accepted: [String] = []
  ) {
    self.number = number
    self.act = act
    self.mark = mark
    self.version = version
    self.changes = changes
    self.accepted = accepted
  }

  /// Changes as lines, no more than an entry lists.
  static func lines(for changes: [SchemaChange]) -> [String] {
    let lines = changes.map {
      $0.description.prefix(utf8: SchemaLimits.auditLineBytesMax)
    }
    guard lines.count > SchemaLimits.auditLinesMax else { return lines }
    let shown = lines.prefix(SchemaLimits.auditLinesMax - 1)
    return shown + ["and \(lines.count - shown.count) more"]
  }
}

extension String {
  /// As many whole characters from the beginning as fit into so many bytes, or somewhat fewer.
  func prefix(utf8 bytesMax: Int) -> String {
    var text = self
    while text.utf8.count > bytesMax { text = String(text.prefix(text.count * 3 / 4)) }
    return text
  }
}
