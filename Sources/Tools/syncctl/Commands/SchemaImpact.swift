import CommandKit
import DataModel
import JSONStream
import SchemaFormats
import SchemaLint

let schemaImpactCommand = Command(
  "schema", "impact",
  summary: "Say in plain words what each older version of an app will see.",
  discussion: """
    Older apps go on running when a new version ships. Without --against, the earlier versions of the
    package are what is out there.
    """,
  arguments: [.init("SCHEMA", schemaKinds)],
  options: [
    .values("against", "PROMOTED", "older versions: schemas, packages, or folders of them"),
    .value(
      "profile", "PROFILE", choices: LintProfile.allCases.map(\.rawValue),
      "cloudkit unless given: Core Data or SwiftData mirrored by CloudKit; or Contrail's own sync"),
    .json,
  ],
  examples: [
    .init("syncctl schema impact FlightLog.xcdatamodeld", "on the package's earlier versions"),
    .init("syncctl schema impact FlightLog.xcdatamodeld --against promoted/", "on what shipped"),
  ],
  exits: [.done, .unreadable, .damaged, .busy],
  run: { call in
    try requireOneStandardInput(call.arguments + call.values("against"))
    let files = SchemaFiles(call.console)
    let package = try files.package(at: call.arguments[0])
    guard let current = package.current else { return .unusable }
    let older =
      call.has("against")
      ? try call.values("against").flatMap { try files.promoted(at: $0) }
      : Array(package.versions[..<package.currentIndex])
    if older.isEmpty {
      throw UsageError(
        "\(call.arguments[0]) has no earlier version", fix: "name one with --against PROMOTED")
    }
    let profile = call.value("profile").flatMap(LintProfile.init) ?? .cloudkit
    let report = ImpactReport(of: current, on: older, profile: profile)
    if call.has("json") {
      try call.console.write(report.json)
    } else {
      call.console.writeText(report.text + "\n")
    }
    return .ok
  })

extension ImpactReport {
  var json: JSONValue {
    JSONValue(
      .array(
        versions.map { version in
          [
            "version": .string(version.label),
            "entries": JSONValue(.array(version.entries.map(\.json))),
          ]
        }))
  }
}

extension ImpactReport.Entry {
  fileprivate var json: JSONValue {
    [
      "element": .string(element.description), "part": .string(element.kindName),
      "effect": .string(effect.rawValue), "sentence": .string(sentence),
      "file": .string(location.file),
      "line": JSONValue(.number(.integer(Int64(location.position.line)))),
      "column": JSONValue(.number(.integer(Int64(location.position.column)))),
    ]
  }
}
