import CommandKit
import DataModel
import JSONStream
import ObjectStore
import SchemaFormats

/// What it takes to bring one store to a schema.
struct StorePlan {
  let path: String
  let facts: StoreFacts
  let target: Schema
  let listing: MigrationListing
  let plan: MigrationPlan

  /// Plans the migration of the store at `path` to the current version of the schema at `schemaPath`.
  init(_ path: String, to schemaPath: String, isStrict: Bool, _ files: SchemaFiles) throws {
    self.path = path
    facts = try StoreFiles.facts(at: path)
    let old = SchemaDocument(
      file: path, label: StoreFiles.stem(path), content: .objects(facts.schema))
    let new = try Self.target(try files.package(at: schemaPath), facts.schema, schemaPath)
      .named(like: old)
    listing = try MigrationListing(old, new, isStrict: isStrict)
    target = new.schema ?? facts.schema
    plan = try Store.migrationPlan(at: path, to: target)
  }

  /// The current version; where the package has the store's version too, with the renames in between
  /// traced.
  private static func target(
    _ package: SchemaPackage, _ stored: Schema, _ path: String
  ) throws -> SchemaDocument {
    guard let current = package.current else {
      throw DiskError(path: path, problem: "it holds no version of a schema")
    }
    let versions = package.versions[...package.currentIndex]
    guard let first = versions.firstIndex(where: { $0.schema?.versionHash == stored.versionHash })
    else { return current }
    return VersionPairs.carryingCanonicalNames(Array(versions[first...])).last ?? current
  }

  /// Whether the store has the schema already.
  var isDone: Bool { facts.schema == target }

  /// What stands in the way of the data.
  var dataText: String {
    let problems = plan.problems
    let head = "data of \(path): "
    if problems.isEmpty { return head + "nothing stands in the way\n" }
    let count = problems.count == 1 ? "1 thing stands" : "\(problems.count) things stand"
    return head + "\(count) in the way\n"
      + problems.flatMap { $0.lines(indent: "  ") }.map { $0 + "\n" }.joined()
  }

  /// What is done, step by step.
  func stepsText(showsSQL: Bool) -> String {
    if plan.steps.isEmpty { return "steps: only the kept schema is brought up to date\n" }
    let steps = plan.steps.enumerated().map { index, step in
      let sql = showsSQL ? step.sql.map { "     \($0.oneLine);\n" }.joined() : ""
      return "  \(index + 1). \(step.title)\n\(sql)"
    }
    return "steps\n" + steps.joined()
  }

  var listingJSON: JSONValue {
    let members = listing.json.members ?? []
    return JSONValue(
      .object(
        members + [
          JSONMember("file", .string(path)),
          JSONMember("problems", .list(plan.problems.map(\.json))),
        ]))
  }

  func json(isMigrated: Bool, backup: String?) -> JSONValue {
    [
      "format": "contrail-migration-1", "file": .string(path),
      "from": .string(facts.schema.versionHash.description),
      "to": .string(target.versionHash.description),
      "isMigrated": JSONValue(.boolean(isMigrated)), "backup": backup.map { .string($0) } ?? nil,
      "verdict": .string(listing.forecast.verdict.rawValue),
      "changes": .list(listing.forecast.steps.map(\.json)),
      "steps": .list(
        plan.steps.map { ["title": .string($0.title), "sql": .list($0.sql)] as JSONValue }),
      "losses": .list(plan.losses), "problems": .list(plan.problems.map(\.json)),
    ]
  }
}

extension StoreError {
  var json: JSONValue {
    [
      "code": .string(code.rawValue), "subject": .string(subject), "message": .string(message),
      "fix": fix.map { .string($0) } ?? nil,
    ]
  }
}
