import DataModel

/// What makes two findings the same one in two runs: the rule, the part and its feature, but neither
/// line nor wording, so that it survives edits of the file and better sentences.
package struct FindingKey: Hashable, Sendable, Comparable {
  /// The rule's name.
  package var rule: String
  /// The part that offends, as waivers name it.
  package var subject: String
  /// The feature of it, where one can be named.
  package var aspect: String?

  package init(rule: String, subject: String, aspect: String? = nil) {
    self.rule = rule
    self.subject = subject
    self.aspect = aspect
  }

  package init(_ finding: Finding) {
    self.init(
      rule: finding.rule, subject: finding.subject, aspect: finding.aspect.map(\.rawValue))
  }

  /// The key in 16 hexadecimal digits, the same on every machine and in every version.
  package var digest: String {
    // FNV-1a with 64 bits: it only has to keep the findings of one report apart.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in [rule, subject, aspect ?? ""] {
      for byte in Array(part.utf8) + [0] {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  package static func < (left: FindingKey, right: FindingKey) -> Bool {
    (left.rule, left.subject, left.aspect ?? "") < (right.rule, right.subject, right.aspect ?? "")
  }
}
