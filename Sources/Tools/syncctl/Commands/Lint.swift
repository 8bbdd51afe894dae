import CommandKit
import DataModel
import FoundationEssentials
import RecordWire
import SchemaFormats
import SchemaLint
import SyncClient

let lintCommand = Command(
  "lint",
  summary: "Find what breaks a synced schema: alone, and against every promoted version.",
  discussion: """
    All findings are printed at once. contrail-lint.json beside the schema (or --config) chooses the
    profile, switches rules, names promoted versions, and waives findings with a reason.
    """,
  arguments: [.init("SCHEMA", schemaKinds, count: .optional)],
  options: [
    .values(
      "against", "PROMOTED",
      "promoted versions: schemas, packages, folders of them, or https://host/container"),
    .flag("previous-versions", "hold the package to its own earlier versions too"),
    .value(
      "profile", "PROFILE", choices: LintProfile.allCases.map(\.rawValue),
      "cloudkit unless given: Core Data or SwiftData mirrored by CloudKit; or Contrail's own sync"),
    .value("format", "FORMAT", choices: ReportFormat.all.map(\.name), "text unless given"),
    .value("config", "FILE", "the configuration, in place of contrail-lint.json beside the schema"),
    .value("baseline", "FILE", "accept the findings that this file lists"),
    .value(
      "write-baseline", "FILE",
      "list today's findings in this file to accept them, and end with 0"),
    .value("explain", "RULE", "say what a rule is for and how to waive it; \"all\" lists them"),
  ] + Command.Option.credentials,
  examples: [
    .init("syncctl lint FlightLog.xcdatamodeld", "may CloudKit mirror this model?"),
    .init("syncctl lint FlightLog.xcdatamodeld --against promoted/", "and do older apps live on?"),
    .init("syncctl lint schema.ckdb --against prod.ckdb --format github", "in a pull request"),
    .init(
      "syncctl lint FlightLog.xcdatamodeld --write-baseline debts.json", "accept today's debts"),
    .init(
      "syncctl lint schema.ckdb --against https://records.example.com/notes",
      "may this be promoted on that server?"),
    .init("syncctl lint --explain field-removed", "why, and what to do"),
  ],
  exits: [
    .init(.ok, "nothing at error level, or a baseline was written"),
    .init(.findings, "findings at error level"), .unaskable, .damaged,
    .init(.busy, "the server is busy, or another process keeps a store to itself for too long"),
    .refusedCredentials, .noAnswer,
  ],
  run: { call in
    if let rule = call.value("explain") { return try explain(rule, on: call.console) }
    guard let path = call.arguments.first else { throw missingSchema(call) }
    return try LintRun(call, schema: path).run()
  })

/// One run of the lint: reads the files, and hands them to the rules.
private struct LintRun {
  let call: Invocation
  let path: String
  let files: SchemaFiles
  let disk = Disk()

  init(_ call: Invocation, schema path: String) {
    self.call = call
    self.path = path
    files = SchemaFiles(call.console)
  }

  func run() throws -> ExitCode {
    try requireOneStandardInput([path] + call.values("against"))
    let (package, texts) = try files.packageWithTexts(at: path)
    guard let document = package.current else {
      throw DiskError(path: path, problem: "it holds no version of a schema")
    }
    let settings = try LintSettings(call, schema: path, disk: disk)
    let linter = Linter(
      profile: settings.profile, overrides: settings.configuration.overrides,
      knownTransformers: settings.configuration.transformers)
    let promoted = try promotedVersions(of: package, settings)
    let findings = linter.findings(in: document, promoted: promoted)
    let written = try writeBaseline(findings, settings)
    if let written, settings.format.name == ReportFormat.text.name {
      call.console.writeText(written)
      return .ok
    }
    let report = LintReport(
      of: findings, in: document, promoted: promoted, linter: linter,
      configuration: settings.configuration, baseline: try settings.baseline(call, disk: disk),
      today: today(), toolVersion: toolVersion)
    call.console.write(try settings.format.render(report, options(texts)))
    return report.worst == .error && written == nil ? .findings : .ok
  }

  /// Accepts the findings in the file of `--write-baseline`, and says so; nil without the option.
  private func writeBaseline(_ findings: [Finding], _ settings: LintSettings) throws -> String? {
    guard let file = call.value("write-baseline") else { return nil }
    // What a waiver covers needs no second excuse.
    let debts = WaiverOutcome(findings, waivers: settings.configuration.waivers, today: today())
    try disk.write(try LintBaseline(accepting: debts.kept).text(), to: file)
    return "wrote \(counted(debts.kept.count, "finding")) to \(file)\n"
  }

  /// The versions that production has seen, oldest first: the package's own, then those of the
  /// configuration, then those of the call.
  private func promotedVersions(
    of package: SchemaPackage, _ settings: LintSettings
  ) throws -> [SchemaDocument] {
    let own =
      call.has("previous-versions") ? Array(package.versions[..<package.currentIndex]) : []
    // A configuration names no servers: whoever writes one could have the token sent to theirs.
    let configured = try settings.promotedPaths.flatMap { try files.promoted(at: $0) }
    return try own + configured + call.values("against").flatMap { try promoted(named: $0) }
  }

  /// What the call names: production on a server, or files.
  private func promoted(named name: String) throws -> [SchemaDocument] {
    guard ServerAddress.isURL(name) else { return try files.promoted(at: name) }
    let client = try ManagementClient(call, url: name, command: "lint --against URL")
    let text = try client.export("production").schema
    return [try CKDB.read(Array(text.utf8), file: name, label: "production")]
  }

  private func options(_ texts: [String: [UInt8]]) -> ReportOptions {
    let folder = FileManager.default.currentDirectoryPath
    return ReportOptions(
      usesColour: call.console.isColourful, workingDirectory: folder,
      repositoryRoot: disk.folder(holding: ".git", from: folder), texts: texts)
  }

  private func today() -> CalendarDate {
    CalendarDate(daysSince1970: Int((Date.now.timeIntervalSince1970 / 86_400).rounded(.down)))
  }
}

/// `--against` takes all that follows it, and a schema that was meant to be linted may be among it.
private func missingSchema(_ call: Invocation) -> UsageError {
  if let last = call.values("against").last, call.values("against").count > 1 {
    return UsageError(
      "lint needs SCHEMA, and --against took \(last) for a promoted version",
      fix: "write the schema first: syncctl lint \(last) --against …")
  }
  return UsageError("lint needs SCHEMA: \(schemaKinds)", fix: "see syncctl lint --help")
}

private func explain(_ name: String, on console: Console) throws -> ExitCode {
  if name == "all" {
    console.write(RuleReference.list())
    return .ok
  }
  guard let text = RuleReference.explanation(of: name) else {
    console.writeError("syncctl: error: \(RuleReference.unknownRule(name))\n")
    return .unusable
  }
  console.write(text)
  return .ok
}
