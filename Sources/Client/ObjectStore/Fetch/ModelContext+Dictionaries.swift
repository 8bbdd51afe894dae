public import DataModel
import FoundationEssentials
import PredicateSQL
import SQLiteDriver

extension ModelContext {
  /// What the store has for `request`: a dictionary for each object or each group of objects.
  ///
  /// A value that is missing is `null`. Changes that are not saved yet do not count; a request that wants them to throws.
  public func fetchDictionaries(
    _ request: DictionaryRequest
  ) throws -> [[String: FieldValue]] {
    receiveChanges()
    if request.includesPendingChanges && hasChanges {
      throw StoreError(
        .invalidFetch, request.entity,
        "dictionaries come from the store, where changes that are not saved yet do not count",
        fix: "save first, or ask without pending changes")
    }
    return try read { connection in
      let model = try store.extras.texts.model(connection)
      let plan = try DictionaryPlan(request, store.layout, model)
      let statement = try connection.statement(plan.sql.sql)
      defer { statement.reset() }
      statement.bind(plan.sql.values)
      var rows: [[String: FieldValue]] = []
      while try statement.step() {
        var row: [String: FieldValue] = [:]
        row.reserveCapacity(plan.columns.count)
        for (index, column) in plan.columns.enumerated() {
          row[column.name] = try value(column, statement, Int32(index), request.entity)
        }
        rows.append(row)
      }
      return rows
    }
  }

  private func value(
    _ column: DictionaryPlan.Column, _ statement: Statement, _ index: Int32, _ entity: String
  ) throws(StoreError) -> FieldValue {
    if statement.isNull(index) { return .null }
    switch column.shape {
    case .null: return .null
    case .value(let kind):
      guard let value = statement.value(index, as: kind) else { break }
      return value
    case .opaque:
      // A text stands where bytes were expected: the value is in a file.
      if statement.kind(index) == .blob { return .data(statement.bytes(index)) }
    case .object(let name):
      var name = name
      if let place = column.entityColumn,
        let own = store.layout.entity(number: Int(clamping: statement.integer(place)))
      {
        name = own.name
      }
      return .objectID(
        ObjectIdentity(store: store.identifier, entity: name, key: statement.integer(index)))
    }
    throw StoreError(
      .unreadableValue, "\(entity).\(column.name)",
      "a value is in a file beside the store, or is damaged",
      fix: "fetch the objects, and read it from them")
  }
}

extension Statement {
  /// A column's value, where a value of `kind` is stored; nil where there is none of that kind.
  func value(_ index: Int32, as kind: FieldValue.Kind) -> FieldValue? {
    switch kind {
    case .boolean: return .boolean(integer(index) != 0)
    case .integer: return .integer(integer(index))
    case .double: return .double(real(index))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: real(index)))
    case .decimal: return Decimal(string: text(index)).map { .decimal($0) }
    case .string: return .string(text(index))
    case .uri: return .uri(text(index))
    case .objectID: return ObjectIdentity(text(index)).map { .objectID($0) }
    case .uuid: return withBytes(index, UUID.init(bytes:)).map { .uuid($0) }
    case .data: return self.kind(index) == .blob ? .data(bytes(index)) : nil
    case .null, .composite, .list: return nil
    }
  }

  /// A number; a NaN is stored as bytes.
  private func real(_ index: Int32) -> Double { kind(index) == .blob ? .nan : double(index) }
}
