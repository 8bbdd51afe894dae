import DataModel
import SchemaFormats
import SchemaLint

/// One small report with every kind of line and with characters that some format must escape.
enum SampleReport {
  static let file = "My App.xcdatamodeld/Größe, 100%.xcdatamodel/contents"
  static let configurationFile = "contrail-lint.json"
  static let baselineFile = "lint-baseline.json"

  /// 2026-11-20.
  static let today = CalendarDate(daysSince1970: 20_777)

  /// A rule for removed fields whose texts hold what XML must escape.
  static let removed = Rule(
    "field-removed", .additive, .error, summary: "A field that production has stays.",
    why: "apps < 2 & > 1 read \"it\"", fix: "keep it; 100% of apps, old: too", check: { _ in [] })

  static let noAction = Rule(
    "delete-rule-no-action", .pitfall, .warning, summary: "No relationship has no delete rule.",
    why: "the other side holds a reference to nothing", fix: "use nullify", check: { _ in [] })

  static let silent = Rule(
    "never-broken", .validator, .error, summary: "Nobody breaks <this>.", why: "nothing happens",
    fix: "do nothing", check: { _ in [] })

  static let linter = Linter(profile: .cloudkit, table: [removed, noAction, silent])

  static func finding(
    _ rule: Rule, _ element: SchemaElement, _ aspect: Aspect? = nil, _ message: String,
    line: Int, column: Int = 9, against: [String] = []
  ) -> Finding {
    Finding(
      rule: rule.id, severity: rule.severity[.cloudkit] ?? .note, element: element, aspect: aspect,
      location: place(file, line, column), message: message, why: rule.why, fix: rule.fix,
      against: against)
  }

  static func place(_ file: String, _ line: Int, _ column: Int) -> SourceLocation {
    SourceLocation(file: file, position: SourcePosition(line: line, column: column))
  }

  static let findings = [
    finding(
      removed, .attribute(entity: "LogEntry", name: "duration"), nil,
      "LogEntry.duration was removed", line: 3, against: ["FlightLog", "FlightLog 2"]),
    finding(
      removed, .attribute(entity: "LogEntry", name: "a\n<b>"), nil,
      "LogEntry.a\n<b> was 50% removed, \"too\"", line: 3, against: ["FlightLog 2"]),
    finding(
      noAction, .relationship(entity: "Pilot", name: "größe"), .deleteRule,
      "Pilot.größe has the delete rule noAction", line: 7, column: 36),
    finding(
      removed, .attribute(entity: "Pilot", name: "age"), nil, "Pilot.age was removed", line: 6,
      against: ["FlightLog"]),
    finding(
      noAction, .relationship(entity: "Pilot", name: "old"), .deleteRule,
      "Pilot.old has the delete rule noAction", line: 8),
  ]

  static let document = SchemaDocument(
    file: file, label: "Größe, 100%",
    content: .objects(
      Schema(entities: [
        Schema.Entity(name: "LogEntry", attributes: [Schema.Attribute(name: "x", type: .string)])
      ])),
    notes: [SchemaNote(location: place(file, 2, 5), message: "the element <note> was passed over")])

  static let promoted = ["FlightLog", "FlightLog 2"].map {
    SchemaDocument(file: "\($0).xcdatamodel", label: $0, content: .objects(Schema()))
  }

  static let configuration = LintConfiguration(waivers: [
    Waiver(
      rule: "field-removed", subject: Waiver.Subject("Pilot.age"),
      reason: "every app \"older\" than 2 is gone & forgotten",
      expires: CalendarDate("2027-03-01"), location: place(configurationFile, 4, 5)),
    Waiver(
      rule: "field-removed", subject: Waiver.Subject("LogEntry.*"), reason: "for now",
      expires: CalendarDate("2026-01-31"), location: place(configurationFile, 5, 5)),
    Waiver(
      rule: "delete-rule-no-action", subject: Waiver.Subject("Pilot.grösse"), reason: "meant so",
      location: place(configurationFile, 6, 5)),
  ])

  static let baseline = LintBaseline(entries: [
    LintBaseline.Entry(
      key: FindingKey(
        rule: "delete-rule-no-action", subject: "Pilot.old", aspect: "deleteRule"),
      location: place(baselineFile, 4, 5)),
    LintBaseline.Entry(
      key: FindingKey(rule: "field-removed", subject: "Pilot.gone"),
      location: place(baselineFile, 5, 5)),
  ])

  static let report = LintReport(
    of: findings, in: document, promoted: promoted, linter: linter, configuration: configuration,
    baseline: baseline, today: today,
    toolVersion: "1.2.3")

  /// A report without findings.
  static let clean = LintReport(
    of: [],
    in: SchemaDocument(file: "FlightLog.ckdb", label: "FlightLog", content: .records(types)),
    linter: linter, today: today, toolVersion: "1.2.3")

  /// As the command sees it from a directory within the repository.
  static let options = ReportOptions(
    workingDirectory: "/home/ci/repo/ios", repositoryRoot: "/home/ci/repo",
    texts: [file: Array(text.utf8)])

  private static let types = RecordSchema(types: [
    RecordSchema.RecordType(
      name: "Flight", fields: [RecordSchema.Field(name: "number", type: .int64)])
  ])

  /// The seventh line has three characters of two bytes before column 36.
  private static let text =
    String(repeating: "\n", count: 6) + "<relationship name=\"größeß\" x=\"y\"/>"
}
