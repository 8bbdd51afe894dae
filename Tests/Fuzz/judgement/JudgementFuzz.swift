import DataModel
import SchemaFormats
import SchemaLint

/// Reads any bytes as each format of schemas, and does everything to what was accepted that a command
/// does: lint, diff, forecast, hashes, mapping, impact and reports.
///
/// A trap or a hang is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJudgement(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  for read in readers {
    guard let document = try? read(bytes) else { continue }
    if case .objects(let schema) = document.content { judge(schema) }
    for other in [document] + others { judge(document, bytes, beside: other) }
  }
  return 0
}

private let readers: [@Sendable ([UInt8]) throws -> SchemaDocument] = [
  { try XCDataModel.document(contents: $0, file: "fuzz", label: "fuzz") },
  { try CKDB.read($0, file: "fuzz", label: "fuzz") },
  { try ContrailJSON.read($0, file: "fuzz", label: "fuzz") },
]

/// What inputs are held against: nothing, objects and records.
private let others: [SchemaDocument] = [
  SchemaDocument(file: "empty", label: "empty", content: .objects(Schema())),
  SchemaDocument(file: "objects", label: "objects", content: .objects(objects)),
  SchemaDocument(
    file: "records", label: "records", content: .records(objects.mapped(.coreData).schema)),
]

private let objects = Schema(entities: [
  Schema.Entity(
    name: "LogEntry", attributes: [Schema.Attribute(name: "duration", type: .double)],
    relationships: [
      Schema.Relationship(name: "aircraft", destination: "Aircraft", inverse: "entries")
    ]),
  Schema.Entity(
    name: "Aircraft", attributes: [Schema.Attribute(name: "tailNumber", type: .string)],
    relationships: [
      Schema.Relationship(
        name: "entries", destination: "LogEntry", inverse: "aircraft", isToMany: true)
    ]),
])

private func judge(_ schema: Schema) {
  _ = schema.versionHash
  for profile in MappingProfile.allCases { _ = schema.mapped(profile) }
  for other in [Schema(), objects, schema] {
    _ = MigrationForecast(from: other, to: schema).verdict
    _ = MigrationForecast(from: schema, to: other, rule: .strict).verdict
  }
}

/// Judges `document` as the older and as the newer version.
private func judge(_ document: SchemaDocument, _ bytes: [UInt8], beside other: SchemaDocument) {
  for profile in LintProfile.allCases {
    let linter = Linter(profile: profile)
    for (old, new) in [(other, document), (document, other)] {
      _ = ImpactReport(of: new, on: [old], profile: profile).text
      let findings = linter.findings(in: new, promoted: [old])
      let report = LintReport(
        of: findings, in: new, promoted: [old], linter: linter,
        today: CalendarDate(daysSince1970: 20_777), toolVersion: "1")
      // Reports cost more than all the rest together, and differ in their findings alone.
      if old.label == "objects" { render(report, ReportOptions(texts: ["fuzz": bytes])) }
    }
  }
}

private func render(_ report: LintReport, _ options: ReportOptions) {
  for format in ReportFormat.all {
    guard (try? format.render(report, options)) != nil else {
      preconditionFailure("no report as \(format.name)")
    }
  }
}
