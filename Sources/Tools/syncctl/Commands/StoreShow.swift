import CommandKit
import DataModel
import FoundationEssentials
import JSONStream
import ObjectStore
import PredicateSQL

/// What every store argument takes.
let storeKinds = "a store's file: SQLite, binary or XML"

/// How many objects `show` lists unless it is told otherwise.
private let shownObjects = 20
/// How many related objects the listing of one object names.
private let shownRelatedMax = 20

let storeShowCommand = Command(
  "show",
  summary: "Look into a store: what it is, an entity's objects, or one object with its history.",
  discussion: "Nothing is written.",
  arguments: [
    .init("STORE", storeKinds),
    .init("ENTITY", "whose objects to list", count: .optional),
    .init("KEY", "the object to show whole, by the number in its first column", count: .optional),
  ],
  options: [
    .value("limit", "N", "list so many objects at most; \(shownObjects) unless given"), .json,
  ],
  examples: [
    .init("syncctl show log.sqlite", "what is in this file?"),
    .init("syncctl show log.sqlite LogEntry --limit 5", "the first objects of an entity"),
    .init("syncctl show log.sqlite LogEntry 3", "one object, and what happened to it"),
  ],
  exits: [.done, .unreadable, .damaged, .busy],
  run: { call in
    let (path, rest) = (call.arguments[0], call.arguments.dropFirst())
    let limit = try call.count("limit")
    if limit != nil, rest.count != 1 {
      throw UsageError("--limit is for the list of an entity's objects", fix: "leave out --limit")
    }
    let store = try StoreFiles.open(path)
    guard let name = rest.first else {
      let overview = try StoreOverview(store, path, try StoreFiles.facts(at: path))
      try call.console.write(overview.text, or: overview.json, isJSON: call.has("json"))
      return .ok
    }
    let entity = try store.entity(typed: name)
    let context = ModelContext(store)
    if rest.count == 1 {
      var request = FetchRequest(entity.name)
      let total = try context.fetchCount(request)
      request.limit = limit ?? shownObjects
      let table = try ObjectTable(
        try context.fetch(request), of: entity, in: store, columns: ObjectColumn.all(of: entity),
        total: total)
      try call.console.write(table.text, or: table.json, isJSON: call.has("json"))
    } else {
      let listing = try ObjectListing(call.arguments[2], entity, context)
      try call.console.write(listing.text, or: listing.json, isJSON: call.has("json"))
    }
    return context.reportProblems(on: call.console)
  })

extension Console {
  /// Writes the text, or the JSON.
  fileprivate func write(
    _ text: @autoclosure () -> String, or json: @autoclosure () -> JSONValue, isJSON: Bool
  ) throws {
    if isJSON { return try write(json()) }
    writeText(text())
  }
}

/// What a store is, and how much it holds.
struct StoreOverview {
  let path: String
  let facts: StoreFacts
  let bytes: Int64
  let entities: [(entity: EntityLayout, count: Int)]
  let oldest: HistoryTransaction?
  let newest: HistoryTransaction?
  let token: HistoryToken
  let readers: [HistoryReader]

  init(_ store: Store, _ path: String, _ facts: StoreFacts) throws {
    self.path = path
    self.facts = facts
    bytes = StoreFiles.bytes(of: path)
    let context = ModelContext(store)
    entities = try store.layout.entities.map { entity in
      var request = FetchRequest(entity.name)
      request.includesSubentities = false
      return (entity, entity.schema.isAbstract ? 0 : try context.fetchCount(request))
    }
    var request = HistoryRequest()
    request.limit = 1
    oldest = try store.historyTransactions(request).first
    request.order = .newestFirst
    newest = try store.historyTransactions(request).first
    token = try store.historyToken()
    readers = try store.readers()
  }

  /// Transactions are numbered without gaps, and purged from the oldest on.
  private var transactionCount: Int64 {
    guard let oldest, let newest else { return 0 }
    return newest.number - oldest.number + 1
  }

  private var schemaWords: String {
    let version = facts.schema.versionIdentifier
    let name = facts.schema.name.isEmpty ? "without a name" : facts.schema.name
    return version.isEmpty ? name : "\(name), version \(version)"
  }

  private var historyWords: String {
    guard let oldest, let newest else { return "no transaction" }
    return "\(counted(Int(clamping: transactionCount), "transaction")), #\(oldest.number) of "
      + "\(oldest.time.shown) to #\(newest.number) of \(newest.time.shown)"
  }

  var text: String {
    let kind = Self.kindNames[facts.kind] ?? facts.kind.rawValue
    var rows = [
      ["identifier", facts.identifier.uuidString],
      ["kind", "\(kind), format \(facts.formatVersion)"],
      ["size", sizeWords], ["schema", schemaWords.oneLine],
      ["hash", "\(facts.schema.versionHash)"],
      ["history", historyWords], ["token", "\(token)"],
    ]
    rows += facts.userFacts.sorted { $0.key < $1.key }.map {
      ["noted", "\($0.key): \($0.value)".oneLine]
    }
    var text = "\(path)\n" + aligned(rows) + "\nentities\n"
    text += aligned(
      entities.map { [$0.entity.name, $0.entity.schema.isAbstract ? "abstract" : "\($0.count)"] })
    if readers.isEmpty { return text }
    return text + "\nreaders of its history\n"
      + aligned(
        readers.map { reader in
          [
            reader.name.oneLine,
            reader.lag == 0
              ? "has read all"
              : "\(counted(Int(clamping: reader.lag), "transaction")) behind"
                + (reader.oldestUnread.map { ", since \($0.shown)" } ?? ""),
          ]
        })
  }

  private static let kindNames: [StoreKind: String] = [
    .sqlite: "SQLite", .binary: "binary", .xml: "XML",
  ]

  /// `72.0 KiB`.
  private var sizeWords: String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    var (unit, size) = (0, Double(bytes))
    while size >= 1024, unit < units.count - 1 { (unit, size) = (unit + 1, size / 1024) }
    return unit == 0 ? "\(bytes) bytes" : "\((size * 10).rounded() / 10) \(units[unit])"
  }

  var json: JSONValue {
    [
      "format": "contrail-store-1", "file": .string(path),
      "identifier": .string(facts.identifier.uuidString), "kind": .string(facts.kind.rawValue),
      "formatVersion": .integer(Int64(facts.formatVersion)), "bytes": .integer(bytes),
      "schema": [
        "name": .string(facts.schema.name), "version": .string(facts.schema.versionIdentifier),
        "hash": .string("\(facts.schema.versionHash)"),
      ],
      "noted": JSONValue(
        .object(
          facts.userFacts.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) })),
      "entities": .list(
        entities.map { row in
          [
            "name": .string(row.entity.name),
            "isAbstract": JSONValue(.boolean(row.entity.schema.isAbstract)),
            "count": .integer(Int64(row.count)),
          ]
        }),
      "history": [
        "transactions": .integer(transactionCount), "token": .string("\(token)"),
        "oldest": oldest.map { .string($0.time.shown) } ?? nil,
        "newest": newest.map { .string($0.time.shown) } ?? nil,
      ],
      "readers": .list(
        readers.map { reader in
          [
            "name": .string(reader.name), "token": .string("\(reader.token)"),
            "lag": .integer(reader.lag), "time": .string(reader.time.shown),
            "oldestUnread": reader.oldestUnread.map { .string($0.shown) } ?? nil,
          ]
        }),
    ]
  }
}

/// One object with all its properties, and what happened to it; of a deleted one what history kept.
struct ObjectListing {
  let identity: ObjectIdentity
  let object: ManagedObject?
  private let values: [(name: String, value: FieldValue)]
  private let related: [(name: String, identities: [ObjectIdentity])]
  private let history: [HistoryTransaction]

  init(_ text: String, _ entity: EntityLayout, _ context: ModelContext) throws {
    guard let key = Int64(text), key > 0 else {
      throw UsageError(
        "KEY cannot be \"\(text)\"", fix: "the number that syncctl show prints before the object")
    }
    let store = context.store
    let named = ObjectIdentity(store: store.identifier, entity: entity.name, key: key)
    let object = try context.existingObject(named)
    // Of a deleted object only history knows which of the entities it was.
    let family = entity.family.map { store.layout.entities[$0].name }
    var (identity, found) = (object?.identity ?? named, [HistoryTransaction]())
    for name in object.map({ [$0.entity] }) ?? family where found.isEmpty {
      var request = HistoryRequest()
      let member = ObjectIdentity(store: store.identifier, entity: name, key: identity.key)
      request.object = member
      found = try store.history(request)
      if !found.isEmpty { identity = member }
    }
    history = found
    if object == nil, history.isEmpty {
      throw StoreError(
        .missingObject, identity.short, "is not in the store",
        fix: "see those that are: syncctl show \(store.location.path ?? "STORE") \(entity.name)")
    }
    self.object = object
    self.identity = identity
    var values: [(String, FieldValue)] = []
    var related: [(String, [ObjectIdentity])] = []
    for slot in object?.layout.shownSlots ?? [] {
      guard let relationship = slot.relationship else {
        values.append((slot.name, try object?.value(slot.name) ?? .null))
        continue
      }
      if relationship.schema.isToMany {
        related.append(
          (
            slot.name,
            try object?.relatedObjects(slot.name).map { try context.whole($0.queryIdentity) } ?? []
          ))
      } else {
        let other = try object?.related(slot.name)?.queryIdentity
        values.append((slot.name, try other.map { .objectID(try context.whole($0)) } ?? .null))
      }
    }
    self.values = values
    self.related = related
  }

  var text: String {
    let head = object == nil ? "\(identity.short) was deleted\n" : "\(identity.short)\n"
    let rows =
      values.map { [$0.name, $0.value.line] }
      + related.map { name, identities in
        let named = identities.prefix(shownRelatedMax).map(\.short).joined(separator: ", ")
        let more = identities.count - shownRelatedMax
        return [
          name, identities.isEmpty ? "none" : more > 0 ? "\(named) and \(more) more" : named,
        ]
      }
    let changes = history.flatMap { transaction in
      transaction.changes.map { [String(transaction.head.dropLast()), $0.line] }
    }
    return head + aligned(rows) + "\nhistory\n"
      + (changes.isEmpty ? "  nothing is kept of it\n" : aligned(changes))
  }

  var json: JSONValue {
    let members = values.map { JSONMember($0.name, $0.value.json) }
    let lists = related.map { JSONMember($0.name, .list($0.identities.map(\.short))) }
    return [
      "format": "contrail-object-1", "store": .string(identity.store.uuidString),
      "entity": .string(identity.entity), "key": .integer(identity.key),
      "isDeleted": JSONValue(.boolean(object == nil)),
      "values": JSONValue(.object(members + lists)), "history": .list(history.map(\.json)),
    ]
  }
}
