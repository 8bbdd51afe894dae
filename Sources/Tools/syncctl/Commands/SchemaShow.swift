import CommandKit
import DataModel
import JSONStream
import SchemaFormats

let schemaShowCommand = Command(
  "schema", "show",
  summary: "Print a schema so that a person can read it, or as Contrail JSON.",
  arguments: [.init("SCHEMA", schemaKinds)],
  options: [
    .flag("json", "print Contrail JSON"),
    .flag("versions", "list the versions of a package instead"),
  ],
  examples: [
    .init("syncctl schema show FlightLog.xcdatamodeld", "the current version"),
    .init("syncctl schema show \"FlightLog.xcdatamodeld/FlightLog 2.xcdatamodel\"", "another one"),
    .init("syncctl schema show FlightLog.xcdatamodeld --versions", "what versions there are"),
  ],
  exits: [.done, .unreadable, .damaged, .busy],
  run: { call in
    let package = try SchemaFiles(call.console).package(at: call.arguments[0])
    guard let document = package.current else { return .unusable }
    for note in package.notes + document.notes {
      call.console.writeError("\(note.location): note: \(note.message)\n")
    }
    if call.has("versions") {
      call.console.writeText(versionList(package))
    } else if call.has("json") {
      call.console.write(try ContrailJSON.text(of: document.content))
    } else {
      call.console.writeText(SchemaListing(document).text)
    }
    return .ok
  })

private func versionList(_ package: SchemaPackage) -> String {
  let rows = package.versions.enumerated().map { index, version in
    [index == package.currentIndex ? "*" : " ", version.shownLabel, SchemaListing(version).counts]
  }
  return aligned(rows, indent: "")
}

/// A schema as people read it.
struct SchemaListing {
  private let document: SchemaDocument

  init(_ document: SchemaDocument) { self.document = document }

  var text: String {
    "\(document.shownLabel) · \(counts)\n" + blocks.map { "\n\($0)" }.joined()
  }

  /// `3 entities, 17 properties`.
  var counts: String {
    switch document.content {
    case .objects(let schema):
      let properties = schema.entities.map { $0.attributes.count + $0.relationships.count }
      return counted(schema.entities.count, "entity", plural: "entities") + ", "
        + counted(properties.reduce(0, +), "property", plural: "properties")
    case .records(let records):
      return counted(records.types.count, "record type") + ", "
        + counted(records.types.map(\.fields.count).reduce(0, +), "field")
    }
  }

  private var blocks: [String] {
    switch document.content {
    case .objects(let schema):
      schema.entities.map(\.listing) + schema.composites.map(\.listing)
    case .records(let records): records.types.map(\.listing)
    }
  }
}

extension Schema.Entity {
  var listing: String {
    let facts = [
      isAbstract ? "abstract" : nil, parent.map { "is a \($0)" },
      versionField.map { "version field \($0)" },
      naturalKey.isEmpty ? nil : "known by \(naturalKey.joined(separator: ", "))",
    ].compactMap { $0 }
    let head = facts.isEmpty ? name : "\(name) (\(facts.joined(separator: "; ")))"
    let rows =
      attributes.map { [$0.name, $0.listing] } + relationships.map { [$0.name, $0.listing] }
      + indexes.map {
        ["index \($0.name)", $0.elements.map(\.shown).joined(separator: ", ")]
      } + uniquenessConstraints.map { ["unique", $0.joined(separator: ", ")] }
    return "\(head)\n" + aligned(rows)
  }
}

extension Schema.Composite {
  var listing: String {
    "\(name) (composite)\n" + aligned(attributes.map { [$0.name, $0.listing] })
  }
}

extension Schema.Attribute {
  /// `double, required, default 0.0`.
  var listing: String {
    let kind = compositeName ?? type.rawValue
    let named = Options.named.filter { options.contains($0.option) }.map(\.name)
    let facts = [
      kind, isOptional ? "optional" : "required",
      defaultValue.map { "default \($0.shown)" }, transformerName.map { "by \($0)" },
      derivation.map { "derived from \($0)" }, renamingIdentifier.map { "was \($0)" },
    ].compactMap { $0 }
    return (facts + named).joined(separator: ", ")
  }
}

extension Schema.Relationship {
  /// `→ Pilot, optional, nullify, inverse entries`.
  var listing: String {
    let facts = [
      "→ \(isToMany ? "[\(destination)]" : destination)", isOptional ? "optional" : "required",
      isOrdered ? "ordered" : nil, deleteRule.rawValue, inverse.map { "inverse \($0)" },
      renamingIdentifier.map { "was \($0)" },
    ]
    return facts.compactMap { $0 }.joined(separator: ", ")
  }
}

extension RecordSchema.RecordType {
  var listing: String {
    let rows =
      fields.map { field in
        let encrypted = field.isEncrypted ? "ENCRYPTED \(field.type.rawValue)" : field.type.rawValue
        let kind = field.isList ? "LIST<\(encrypted)>" : encrypted
        let indexes = RecordSchema.Indexes.named.filter { field.indexes.contains($0.index) }
        return [field.name, ([kind] + indexes.map(\.name)).joined(separator: " ")]
      }
      + grants.map { grant in
        let permissions = RecordSchema.Permissions.named.filter {
          grant.permissions.contains($0.permission)
        }
        return ["grant", "\(permissions.map(\.name).joined(separator: ", ")) to \(grant.role)"]
      }
    return "\(name)\n" + aligned(rows)
  }
}
