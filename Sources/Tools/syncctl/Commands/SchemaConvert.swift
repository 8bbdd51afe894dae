import CommandKit
import DataModel
import SchemaFormats

let schemaConvertCommand = Command(
  "schema", "convert",
  summary: "Write a schema in another format to standard output.",
  discussion: """
    To ckdb, entities become record types by --profile: coreData gives the CD_ types that Core Data's
    mirroring uses, native gives Contrail's own. To json, entities stay entities.
    """,
  arguments: [.init("SCHEMA", schemaKinds)],
  options: [
    .value("to", "FORMAT", choices: ["ckdb", "json"], "the format to write"), .mappingProfile,
  ],
  examples: [
    .init("syncctl schema convert FlightLog.xcdatamodeld --to ckdb > FlightLog.ckdb", "for cktool"),
    .init("syncctl schema convert FlightLog.xcdatamodeld --to json", "for git and review"),
  ],
  exits: [.done, .unreadable, .damaged, .busy],
  run: { call in
    let document = try SchemaFiles(call.console).document(at: call.arguments[0])
    guard let format = call.value("to") else {
      throw UsageError("schema convert needs a format", fix: "add --to ckdb or --to json")
    }
    if format == "ckdb" {
      call.console.write(
        try CKDB.text(of: document.records(try call.mappingProfile(for: call.arguments))))
    } else {
      call.console.write(try ContrailJSON.text(of: document.content))
    }
    return .ok
  })
