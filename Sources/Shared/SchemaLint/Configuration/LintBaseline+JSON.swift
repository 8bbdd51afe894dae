import JSONStream

extension LintBaseline {
  /// What the file says it is.
  static let format = "contrail-lint-baseline-1"

  /// The file's text: one line for each entry, sorted, the same for the same debts.
  package func text() throws -> String {
    let lines = try entries.sorted { $0.key < $1.key }.map { entry in
      let members =
        [
          JSONMember("rule", JSONValue(.string(entry.key.rule))),
          JSONMember("subject", JSONValue(.string(entry.key.subject))),
          entry.key.aspect.map { JSONMember("aspect", JSONValue(.string($0))) },
          entry.count > 1
            ? JSONMember("count", JSONValue(.number(.integer(Int64(entry.count))))) : nil,
        ].compactMap { $0 }
      return try "    " + String(decoding: JSONValue(.object(members)).bytes(), as: UTF8.self)
    }
    let findings = lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: ",\n"))\n  ]"
    return """
      {
        "format": "\(Self.format)",
        "findings": \(findings)
      }

      """
  }

  /// Reads a baseline's text; throws all problems at once.
  package init(reading bytes: [UInt8], file: String) throws(LintFileError) {
    var reader = LintFileReader(bytes, file: file)
    let root = try reader.root()
    self.init(entries: [])
    let keys = ["format", "findings"]
    if reader.members(of: root, "the baseline", known: keys) != nil {
      if root["format"]?.string != Self.format {
        reader.report(
          "a baseline begins with \"format\": \"\(Self.format)\"",
          at: root["format"]?.position ?? root.position)
      }
      if root["findings"] == nil {
        reader.report("a baseline needs 'findings', if only an empty array", at: root.position)
      }
      let findings = root["findings"].flatMap { reader.elements(of: $0, "'findings'") }
      entries = findings?.compactMap { Self.entry($0, &reader) } ?? []
    }
    try reader.finish()
  }

  private static func entry(_ value: JSONValue, _ reader: inout LintFileReader) -> Entry? {
    let keys = ["rule", "subject", "aspect", "count"]
    guard reader.members(of: value, "a finding", known: keys) != nil else { return nil }
    for key in ["rule", "subject"] where value[key] == nil {
      reader.report("a finding needs a \(key)", at: value.position)
    }
    let rule = value["rule"].flatMap { reader.text($0, "a finding's rule") }
    let subject = value["subject"].flatMap { reader.text($0, "a finding's subject") }
    let aspect = value["aspect"].flatMap { reader.text($0, "a finding's aspect") }
    let count = value["count"].map { Int($0.integer ?? 0) } ?? 1
    if count < 1 || count > countMax {
      reader.report(
        "a finding's count must be a whole number from 1 to \(countMax)",
        at: value["count"]?.position)
    }
    guard let rule, let subject else { return nil }
    return Entry(
      key: FindingKey(rule: rule, subject: subject, aspect: aspect), count: count,
      location: reader.location(value.position))
  }

  /// More findings of one kind at one part are a broken file.
  private static let countMax = 1_000_000
}
