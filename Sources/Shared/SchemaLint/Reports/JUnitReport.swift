import SchemaFormats

extension ReportFormat {
  /// One test case for each finding, and one for each rule that found nothing.
  ///
  /// A viewer is red exactly when the lint fails: errors are failures, warnings and notes are passed
  /// cases with output, what is accepted is skipped with its reason. Viewers tell cases apart by
  /// class name and name, so both are always there and together unique; some show only a failure's
  /// text, others only its message, so the text repeats the message.
  package static let junit = ReportFormat(
    name: "junit", purpose: "test report of a CI server",
    render: { report, options in
      let lines = report.findings + report.suppressed
      let silentRules = report.rules.filter { rule in !lines.contains { $0.rule == rule.id } }
      let names = caseNames(lines)
      let cases =
        zip(lines, names).map { testCase($0, name: $1, options) }
        + silentRules.map { xml("testcase", [("classname", $0.id), ("name", $0.summary)]) }
      let counts = [
        ("tests", cases.count), ("failures", report.count(.error)), ("errors", 0),
        ("skipped", report.suppressed.count),
      ].map { ($0, String($1)) }
      let suite = xml(
        "testsuite", [("name", "syncctl lint \(report.schema)")] + counts,
        cases + [xml("system-out", [], text: report.summary)])
      return """
        <?xml version="1.0" encoding="UTF-8"?>
        \(xml("testsuites", [("name", "syncctl lint")] + counts, [suite]))

        """
    })

  /// Each finding's subject, numbered where a rule finds more than one thing wrong with it.
  private static func caseNames(_ lines: [ReportedFinding]) -> [String] {
    var counts: [FindingKey: Int] = [:]
    return lines.map { line in
      let key = FindingKey(rule: line.rule, subject: line.subject)
      let number = counts[key, default: 0] + 1
      counts[key] = number
      return number == 1 ? line.subject : "\(line.subject) (\(number))"
    }
  }

  private static func testCase(
    _ line: ReportedFinding, name: String, _ options: ReportOptions
  ) -> String {
    let file = RepositoryPath(line.location.file, options: options).path
    let attributes = [
      ("classname", line.rule), ("name", name), ("file", file),
      ("line", String(line.location.position.line)),
    ]
    let text = """
      \(line.location): \(line.severity.rawValue): \(line.message)
      why: \(line.why)
      fix: \(line.fix)
      """
    if let suppression = line.suppression {
      let until = suppression.expires.map { ", until \($0)" } ?? ""
      let message = "\(suppression.origin.rawValue): \(suppression.reason)\(until)"
      return xml("testcase", attributes, [xml("skipped", [("message", message)])])
    }
    guard line.severity == .error else {
      return xml("testcase", attributes, [xml("system-out", [], text: text)])
    }
    let failure = [("message", line.message), ("type", line.severity.rawValue)]
    return xml("testcase", attributes, [xml("failure", failure, text: text)])
  }
}

/// An element with elements in it, indented by two spaces.
private func xml(
  _ name: String, _ attributes: [(String, String)], _ children: [String] = []
) -> String {
  let start = startTag(name, attributes)
  guard !children.isEmpty else { return "<\(start)/>" }
  // Text holds no line end of its own, see `escapedForXML`: every line begins with a tag.
  let lines = children.flatMap { $0.split(separator: "\n") }
  let inner = lines.map { "\n  " + $0 }.joined()
  return "<\(start)>\(inner)\n</\(name)>"
}

/// An element with text in it.
private func xml(_ name: String, _ attributes: [(String, String)], text: String) -> String {
  "<\(startTag(name, attributes))>\(text.escapedForXML)</\(name)>"
}

private func startTag(_ name: String, _ attributes: [(String, String)]) -> String {
  name + attributes.map { " \($0)=\"\($1.escapedForXML)\"" }.joined()
}
