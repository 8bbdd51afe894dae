import SQLiteDriver

/// Finds the names behind the numbers that history keeps, also of what the schema has no longer.
struct HistoryNames {
  private var entities: [Int: HistoryName] = [:]
  private var properties: [Int: HistoryName] = [:]
  /// Whether the catalogue was read again, since another process may have extended it.
  private var isFresh = false

  init(_ catalogue: Catalogue) { take(catalogue) }

  private mutating func take(_ catalogue: Catalogue) {
    for row in catalogue.entities where entities[row.number] == nil {
      entities[row.number] = HistoryName(number: row.number, name: row.name, isLive: row.isLive)
    }
    for row in catalogue.properties where properties[row.number] == nil {
      properties[row.number] = HistoryName(number: row.number, name: row.name, isLive: row.isLive)
    }
  }

  mutating func entity(_ number: Int, _ connection: Connection) throws(SQLiteError) -> HistoryName {
    if entities[number] == nil { try refresh(connection) }
    return entities[number] ?? Self.unknown(number)
  }

  mutating func property(_ number: Int, _ connection: Connection) throws(SQLiteError)
    -> HistoryName
  {
    if properties[number] == nil { try refresh(connection) }
    return properties[number] ?? Self.unknown(number)
  }

  private mutating func refresh(_ connection: Connection) throws(SQLiteError) {
    if isFresh { return }
    isFresh = true
    take(try Catalogue.read(connection))
  }

  /// A number that the store gave to nothing: its catalogue is damaged, and history is still shown.
  private static func unknown(_ number: Int) -> HistoryName {
    HistoryName(number: number, name: "#\(number)", isLive: false)
  }
}

extension Catalogue {
  /// The numbers of the entity of that name, of the live one where there is one; empty where the store
  /// never had one.
  func entityNumbers(everNamed name: String) -> [Int] {
    if let live = entity(name) { return [live.number] }
    return entities.filter { $0.name == name }.map(\.number)
  }
}
