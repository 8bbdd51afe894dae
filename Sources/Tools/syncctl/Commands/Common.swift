import CommandKit
import DataModel
import JSONStream
import SchemaFormats

extension Command.ExitMeaning {
  static let done = Self(.ok, "done")
  static let unreadable = Self(.unusable, "a file cannot be read, or the call makes no sense")
  static let damaged = Self(.damaged, "a store is damaged, or newer than this version of the tool")
  static let busy = Self(.busy, "another process keeps the store to itself for too long")
}

extension Command.Option {
  static let json = flag("json", "print JSON instead of text")
}

/// What every schema argument takes.
let schemaKinds =
  ".xcdatamodeld, .xcdatamodel, .ckdb, Contrail JSON or a store; - is standard input"

extension Console {
  /// Prints a value as JSON, one member a line.
  func write(_ value: JSONValue) throws {
    var writer = JSONWriter(.pretty)
    writer.value(value)
    write(String(decoding: try writer.finish(), as: UTF8.self))
  }
}

/// Refuses a call that names standard input twice: it can be read once only.
func requireOneStandardInput(_ paths: [String]) throws(UsageError) {
  if paths.count(where: { $0 == "-" }) > 1 {
    throw UsageError(
      "standard input serves for one schema, not for several", fix: "name a file in place of one -")
  }
}

/// Versions of a schema to compare, pair by pair: two schemas, or each version of one package with the
/// next.
struct VersionPairs {
  let pairs: [(old: SchemaDocument, new: SchemaDocument)]

  init(_ call: Invocation, command: String) throws {
    let arguments = call.arguments
    try requireOneStandardInput(arguments)
    let files = SchemaFiles(call.console)
    switch arguments.count {
    case 1:
      let package = try files.package(at: arguments[0])
      guard package.versions.count > 1 else {
        throw UsageError(
          "\(arguments[0]) holds one version of a schema, and nothing to compare it with",
          fix: "name two schemas: syncctl \(command) OLD NEW")
      }
      let versions = VersionPairs.carryingCanonicalNames(package.versions)
      pairs = zip(versions, versions.dropFirst()).map { ($0, $1) }
    case 2:
      pairs = [try VersionPairs.pair(arguments[0], arguments[1], files)]
    default:
      throw UsageError(
        "\(command) compares two schemas, not \(arguments.count)",
        fix: "name two, or one package: syncctl \(command) OLD NEW")
    }
  }

  /// Two schemas; when both are versions of one package, with the renames in between traced.
  private static func pair(
    _ oldPath: String, _ newPath: String, _ files: SchemaFiles
  ) throws -> (old: SchemaDocument, new: SchemaDocument) {
    let old = try files.document(at: oldPath)
    let new = try files.document(at: newPath).named(like: old)
    guard let folder = packageFolder(old.file), folder == packageFolder(new.file) else {
      return (old, new)
    }
    let versions = try files.package(at: folder).versions
    guard let first = versions.firstIndex(where: { $0.label == old.label }),
      let last = versions.firstIndex(where: { $0.label == new.label })
    else { return (old, new) }
    // Renaming identifiers tell of the past only.
    guard first < last else { return (versions[first], versions[last]) }
    let traced = carryingCanonicalNames(Array(versions[first...last]))
    return (traced.first ?? old, traced.last ?? new)
  }

  /// The `.xcdatamodeld` that a version's file stands in; nil for every other file.
  private static func packageFolder(_ file: String) -> String? {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    return parts.firstIndex { $0.hasSuffix(".xcdatamodeld") }
      .map { parts[...$0].joined(separator: "/") }
  }

  /// The versions with every rename traced to the oldest name; see `Schema`.
  static func carryingCanonicalNames(_ documents: [SchemaDocument]) -> [SchemaDocument] {
    let schemas = documents.compactMap(\.schema)
    guard schemas.count == documents.count else { return documents }
    return zip(documents, Schema.carryingCanonicalNames(through: schemas)).map { document, schema in
      var copy = document
      copy.content = .objects(schema)
      return copy
    }
  }
}

extension SchemaDocument {
  /// The same schema under the other's name, unless both files spell a name: one that comes from a
  /// file's own name is no part of the schema.
  func named(like other: SchemaDocument) -> SchemaDocument {
    guard case .objects(var schema) = content, case .objects(let model) = other.content,
      !(file.hasSuffix(".json") && other.file.hasSuffix(".json"))
    else { return self }
    var copy = self
    schema.name = model.name
    copy.content = .objects(schema)
    return copy
  }

  /// The entities; nil for a file that holds record types.
  var schema: Schema? {
    if case .objects(let schema) = content { schema } else { nil }
  }

  /// The record types: the file's own, or those that its objects map to.
  func records(_ profile: MappingProfile) -> RecordSchema {
    switch content {
    case .objects(let schema): schema.mapped(profile).schema
    case .records(let records): records
    }
  }

  /// What to call this version in a comparison: its label, or its file where that says nothing.
  var shownLabel: String { label.isEmpty ? file : label }
}
