import CommandKit
import DataModel
import JSONStream
import SchemaFormats

let schemaDiffCommand = Command(
  "schema", "diff",
  summary: "List every difference between two schemas, renames recognised.",
  discussion: """
    Two schemas of entities are compared as such. When one side is a .ckdb, both are compared as
    record types, the other one mapped by --profile. One package alone: each version with the next.
    With --server: from production to development, or from --environment to one file.
    """,
  arguments: [
    .init("OLD", "the schema before, or a package with all its versions", count: .optional),
    .init("NEW", "the schema after: \(schemaKinds)", count: .optional),
  ],
  options: [
    .json, .mappingProfile,
    .flag("exit-code", "end with 1 when there are differences"),
    .environment("with --server and a file: what to compare it with; production unless given"),
  ] + Command.Option.server,
  examples: [
    .init("syncctl schema diff promoted/FlightLog.json FlightLog.xcdatamodeld", "what is new"),
    .init("syncctl schema diff FlightLog.xcdatamodeld", "each version with the next"),
    .init(
      "syncctl schema diff --server https://records.example.com --container notes",
      "what a promotion would find"),
  ],
  exits: [
    .init(.ok, "done, whatever the differences"),
    .init(.findings, "with --exit-code: the schemas differ"), .unaskable, .damaged,
    .init(.busy, "the server is busy, or another process keeps a store to itself for too long"),
    .refusedCredentials, .noAnswer,
  ],
  run: { call in
    if call.has("server") { return try ServerDiff(call: call).run() }
    if let option = ["container", "environment", "token"].first(where: { call.has($0) }) {
      throw UsageError("--\(option) is about a server", fix: "add --server https://host")
    }
    if call.arguments.isEmpty {
      throw UsageError(
        "schema diff needs OLD and NEW, or a server", fix: "see syncctl schema diff --help")
    }
    let pairs = try VersionPairs(call, command: "schema diff").pairs
    let profile = try call.mappingProfile(for: call.arguments)
    let comparisons = pairs.map { SchemaComparison(old: $0.old, new: $0.new, profile: profile) }
    if call.has("json") {
      try call.console.write(JSONValue(.array(comparisons.map(\.json))))
    } else {
      call.console.writeText(comparisons.map(\.text).joined(separator: "\n"))
    }
    let differ = comparisons.contains { !$0.changes.isEmpty }
    return differ && call.has("exit-code") ? .findings : .ok
  })

/// The differences between two files.
struct SchemaComparison {
  let old: SchemaDocument
  let new: SchemaDocument
  let changes: [SchemaChange]

  init(old: SchemaDocument, new: SchemaDocument, profile: MappingProfile) {
    self.old = old
    self.new = new
    if let before = old.schema, let after = new.schema {
      changes = diff(before, after)
    } else {
      changes = diff(old.records(profile), new.records(profile))
    }
  }

  var text: String {
    let head = "\(old.shownLabel) → \(new.shownLabel): \(counted(changes.count, "difference"))\n"
    return head + changes.map { "  \($0.mark) \($0)\n" }.joined()
  }

  var json: JSONValue {
    [
      "from": .string(old.shownLabel), "to": .string(new.shownLabel),
      "changes": JSONValue(.array(changes.map(\.json))),
    ]
  }
}

extension SchemaChange {
  /// The sign before a difference in a listing.
  var mark: String {
    switch kind {
    case .added: "+"
    case .removed: "-"
    case .renamed, .changed: "~"
    }
  }

  var json: JSONValue {
    let element = JSONValue.string(element.description)
    let part = JSONValue.string(self.element.kindName)
    return switch kind {
    case .added: ["element": element, "part": part, "change": "added"]
    case .removed: ["element": element, "part": part, "change": "removed"]
    case .renamed(let old):
      ["element": element, "part": part, "change": "renamed", "from": .string(old)]
    case .changed(let aspect, let from, let to):
      [
        "element": element, "part": part, "change": "changed",
        "aspect": .string(aspect.rawValue), "from": from.json, "to": to.json,
      ]
    }
  }
}

extension AspectValue {
  var json: JSONValue {
    switch self {
    case .none: nil
    case .flag(let flag): JSONValue(.boolean(flag))
    case .number(let number): JSONValue(.number(.integer(Int64(number))))
    case .text(let text): .string(text)
    case .value(let value): .string(value.shown)
    case .names(let names): JSONValue(.array(names.map { .string($0) }))
    }
  }
}
