import DataModel
import PredicateSQL
import SQLiteDriver

/// What a fetch for a list of results finds.
struct FetchedEntries {
  /// The objects, in order.
  var entries: [ResultEntry] = []
  /// For each the value of the property that titles its section, where that was asked for.
  var titles: [FieldValue] = []
  /// Objects that have to be kept, by their keys: those that the store does not have.
  var held: [Int64: ManagedObject] = [:]

  mutating func append(_ object: ManagedObject, _ titleSlot: Int?) {
    entries.append(ResultEntry(key: object.key, entity: Int32(clamping: object.layout.index)))
    if object.key < 0 { held[object.key] = object }
    if let titleSlot { titles.append(object.attributeValue(titleSlot)) }
  }
}

extension ModelContext {
  /// What `request` asks for, without taking in what others commit: keys only, where SQL can tell them.
  ///
  /// Changes that are not saved are put in their places among the keys, for which a handful of objects
  /// is read for each.
  func fetchEntries(_ request: FetchRequest, titleSlot: Int?) throws -> FetchedEntries {
    let plan = try plan(request)
    let mayPend = request.includesPendingChanges && hasChanges
    if !plan.isWhole || (mayPend && request.looksBeyond) {
      var fetched = FetchedEntries()
      for object in try found(request) { fetched.append(object, titleSlot) }
      return fetched
    }
    let root = plan.query.layout.root
    let changed = mayPend ? changedObjects(root) : []
    if changed.isEmpty { return try storedEntries(plan.limited(by: request), titleSlot) }
    return try merged(try storedEntries(plan.query, titleSlot), changed, request, plan, titleSlot)
  }

  /// The objects of a hierarchy that have changes, each once.
  private func changedObjects(_ root: Int) -> [ManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    return (inserted + updated + deleted).filter {
      $0.hasChanges && $0.layout.root == root && seen.insert(ObjectIdentifier($0)).inserted
    }
  }

  /// What the store has for `query`.
  private func storedEntries(_ query: StoredQuery, _ titleSlot: Int?) throws -> FetchedEntries {
    let layout = query.layout
    let tail = query.tail(store.layout)
    var columns = layout.sharesTable ? "t0._id, t0._entity" : "t0._id"
    let titleColumn: Int32 = layout.sharesTable ? 2 : 1
    if let titleSlot, let column = layout.slots[titleSlot].column {
      columns += ", t0.\(quoted(column))"
    }
    var fetched = FetchedEntries()
    let scratch = Row(layout)
    defer { scratch.free(layout) }
    let index = Int32(clamping: layout.index)
    try read { connection in
      let statement = try connection.statement("SELECT \(columns)\(tail.sql)")
      defer { statement.reset() }
      statement.bind(tail.values)
      while try statement.step() {
        var entity = index
        if layout.sharesTable,
          let own = store.layout.entity(number: Int(clamping: statement.integer(1)))
        {
          entity = Int32(clamping: own.index)
        }
        fetched.entries.append(ResultEntry(key: statement.integer(0), entity: entity))
        guard let titleSlot else { continue }
        scratch.clear(titleSlot, layout)
        scratch.read(titleSlot, layout, from: statement, titleColumn)
        fetched.titles.append(scratch.value(titleSlot, layout))
      }
    }
    return fetched
  }

  /// `stored` with the objects that have changes in their places, cut as the request says.
  private func merged(
    _ stored: FetchedEntries, _ changed: [ManagedObject], _ request: FetchRequest,
    _ plan: FetchPlan, _ titleSlot: Int?
  ) throws -> FetchedEntries {
    let keys = Set(changed.map(\.key))
    let kept = stored.entries.indices.filter { !keys.contains(stored.entries[$0].key) }
    var own: [ManagedObject] = []
    var result = FetchedEntries()
    do throws(QueryProblem) {
      for object in changed where object.state != .deleted && plan.query.covers(object.layout) {
        if try request.matches(object) { own.append(object) }
      }
      try Self.sort(&own, by: request.sort)
      func take(_ places: Range<Int>) {
        for place in places {
          result.entries.append(stored.entries[kept[place]])
          if titleSlot != nil { result.titles.append(stored.titles[kept[place]]) }
        }
      }
      var done = 0
      for object in own {
        let values = try request.sort.values(for: object)
        var low = done
        var high = kept.count
        while low < high {
          let middle = (low + high) / 2
          let entry = stored.entries[kept[middle]]
          if try comesBefore(entry, object, values, request.sort) {
            low = middle + 1
          } else {
            high = middle
          }
        }
        take(done..<low)
        result.append(object, titleSlot)
        done = low
      }
      take(done..<kept.count)
    } catch {
      throw StoreError(error, request.entity)
    }
    result.cut(request)
    return result
  }

  private func comesBefore(
    _ entry: ResultEntry, _ object: ManagedObject, _ values: [FieldValue], _ sorts: [QuerySort]
  ) throws(QueryProblem) -> Bool {
    if !sorts.isEmpty {
      let other = self.object(entry)
      let order = sorts.order(try sorts.values(for: other), values)
      if order != 0 { return order < 0 }
    }
    return object.key < 0 || entry.key < object.key
  }

  /// The object of an entry: the one in memory, or a fault.
  func object(_ entry: ResultEntry) -> ManagedObject {
    let layouts = store.layout.entities
    let position = Int(entry.entity)
    return object(entry.key, layouts.indices.contains(position) ? layouts[position] : layouts[0])
  }
}

extension FetchedEntries {
  fileprivate mutating func cut(_ request: FetchRequest) {
    let first = min(request.offset, entries.count)
    let left = entries.count - first
    let end = first + min(request.limit ?? left, left)
    if first == 0 && end == entries.count { return }
    entries = Array(entries[first..<end])
    if !titles.isEmpty { titles = Array(titles[first..<end]) }
    let keys = Set(entries.lazy.map(\.key).filter { $0 < 0 })
    held = held.filter { keys.contains($0.key) }
  }
}

extension FetchRequest {
  /// Whether the filter or the order looks at other objects than the one that is asked for.
  package var looksBeyond: Bool {
    filter?.mentionsOtherObjects == true || sort.contains { $0.expression.mentionsOtherObjects }
  }
}
