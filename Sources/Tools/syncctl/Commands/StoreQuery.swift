import CommandKit
import DataModel
import FoundationEssentials
import JSONStream
import ObjectStore
import PredicateSQL

let storeQueryCommand = Command(
  "query",
  summary: "Find objects in a store.",
  discussion: """
    Conditions are written as NSPredicate writes them: == != < <= > >= BETWEEN IN BEGINSWITH CONTAINS
    ENDSWITH LIKE, with [c] for any case and [d] for any accent; AND OR NOT; ANY, ALL and NONE before
    a path through several objects; entries.@count. A date is ISO text. Nothing is written.
    """,
  arguments: [.init("STORE", storeKinds), .init("ENTITY", "whose objects")],
  options: [
    .value("where", "TEXT", "only objects that this is true of"),
    .value("sort", "PATHS", "the order, as in day,-pilot.name; by key unless given")
      .takingDashes,
    .value("limit", "N", "so many objects at most"),
    .value("offset", "N", "pass over so many objects"),
    .value("columns", "PATHS", "what to show, as in day,pilot.name; all properties unless given"),
    .flag("count", "print only how many there are"), .json,
  ],
  examples: [
    .init("syncctl query log.sqlite LogEntry --where \"flightTime > 2\"", "long flights"),
    .init(
      "syncctl query log.sqlite LogEntry --where \"pilot.name CONTAINS[cd] 'ann'\" --sort -day",
      "Ann's, the latest first"),
    .init(
      "syncctl query log.sqlite Pilot --columns name,entries.@count", "how many flights each has"),
    .init(
      "syncctl query log.sqlite LogEntry --where \"pilot == NIL\" --count", "how many have none"),
  ],
  exits: [.done, .unreadable, .damaged, .busy],
  run: { call in
    let store = try StoreFiles.open(call.arguments[0])
    let entity = try store.entity(typed: call.arguments[1])
    let schema = store.layout.schema
    var request = FetchRequest(entity.name)
    if let text = call.value("where") {
      do throws(QueryProblem) {
        request.filter = try QueryExpression(parsing: text, entity: entity.name, schema: schema)
      } catch {
        throw QueryTextError(text: text, problem: error)
      }
    }
    let context = ModelContext(store)
    if call.has("count") {
      let alone = ["sort", "limit", "offset", "columns"].filter(call.has)
      if let option = alone.first {
        throw UsageError("--count counts all, whatever --\(option)", fix: "leave out --\(option)")
      }
      let count = try context.fetchCount(request)
      if call.has("json") {
        try call.console.write([
          "format": "contrail-count-1", "store": .string(store.identifier.uuidString),
          "entity": .string(entity.name), "count": .integer(Int64(count)),
        ])
      } else {
        call.console.write("\(count)\n")
      }
      return .ok
    }
    let total = try context.fetchCount(request)
    request.sort = try names(call.value("sort")).map { name in
      let isDescending = name.hasPrefix("-")
      let path = try ObjectColumn(
        typed: isDescending ? String(name.dropFirst()) : name, entity.name, schema)
      return QuerySort(path.expression, isAscending: !isDescending)
    }
    request.limit = try call.count("limit")
    request.offset = try call.count("offset") ?? 0
    let columns =
      call.has("columns")
      ? try names(call.value("columns")).map { try ObjectColumn(typed: $0, entity.name, schema) }
      : ObjectColumn.all(of: entity)
    let table = try ObjectTable(
      try context.fetch(request), of: entity, in: store, columns: columns, total: total)
    if call.has("json") {
      try call.console.write(table.json)
    } else {
      call.console.writeText(table.text)
    }
    return context.reportProblems(on: call.console)
  })

/// Names with commas between them.
private func names(_ list: String?) -> [String] {
  (list ?? "").split(separator: ",").map { String($0).trimmed }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
