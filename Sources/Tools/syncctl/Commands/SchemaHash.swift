import CommandKit
import DataModel
import JSONStream
import SchemaFormats

let schemaHashCommand = Command(
  "schema", "hash",
  summary: "Print the version hashes that decide whether a store fits a schema.",
  discussion: """
    Defaults, validation, indexes, class names, annotations, renaming identifiers and transient
    properties do not count; a hash modifier changes a hash by hand.
    """,
  arguments: [.init("SCHEMA", schemaKinds)],
  options: [.json, .flag("all-versions", "every version of a package, not only the current one")],
  examples: [
    .init("syncctl schema hash FlightLog.xcdatamodeld --all-versions", "are all versions distinct?")
  ],
  exits: [.done, .unreadable, .damaged, .busy],
  run: { call in
    let package = try SchemaFiles(call.console).package(at: call.arguments[0])
    let documents = call.has("all-versions") ? package.versions : package.current.map { [$0] } ?? []
    let listings = try documents.map(HashListing.init)
    if call.has("json") {
      try call.console.write(JSONValue(.array(listings.map(\.json))))
    } else {
      call.console.writeText(listings.map(\.text).joined(separator: "\n"))
    }
    return .ok
  })

/// The hashes of one version.
struct HashListing {
  let label: String
  let whole: VersionHash
  let entities: [(name: String, hash: VersionHash)]

  init(_ document: SchemaDocument) throws {
    guard let schema = document.schema else {
      throw UsageError(
        "\(document.file) holds record types, which have no version hashes",
        fix: "name an .xcdatamodeld, .xcdatamodel or Contrail JSON file of entities")
    }
    label = document.shownLabel
    whole = schema.versionHash
    entities = schema.entities.map { ($0.name, schema.hash(of: $0)) }
  }

  var text: String {
    "\(label)\n" + aligned([["schema", "\(whole)"]] + entities.map { [$0.name, "\($0.hash)"] })
  }

  var json: JSONValue {
    let members = entities.map { JSONMember($0.name, .string("\($0.hash)")) }
    return [
      "version": .string(label), "schema": .string("\(whole)"),
      "entities": JSONValue(.object(members)),
    ]
  }
}
