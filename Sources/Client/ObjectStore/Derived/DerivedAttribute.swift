import DataModel

/// One derived attribute: how its value is computed in SQL, and which changes make it another one.
struct DerivedAttribute: Sendable {
  /// The property's number in the catalogue.
  let number: Int
  let entity: EntityLayout
  let slot: Slot
  let derivation: Derivation
  /// The way to what it is derived from; nil for the time.
  private let path: StoredPath?

  /// Throws half a sentence about an expression that cannot be computed.
  init(_ entity: EntityLayout, _ slot: Slot, _ expression: String, _ layout: StoreLayout)
    throws(StoredPath.Problem)
  {
    guard slot.column != nil else {
      throw StoredPath.Problem("it is not stored, and what is derived has to be")
    }
    guard let derivation = Derivation(expression) else {
      throw StoredPath.Problem(
        "the expression \"\(expression)\" is none that can be computed; there are: "
          + Derivation.forms)
    }
    number = slot.number
    self.entity = entity
    self.slot = slot
    self.derivation = derivation
    if case .now = derivation.kind {
      path = nil
    } else {
      var isAggregate = false
      if case .aggregate = derivation.kind { isAggregate = true }
      path = try StoredPath(
        derivation.path, from: entity, layout, endsInRelationship: isAggregate)
    }
    try checkTypes()
  }

  private static let numbers: Set<SlotKind> = [.integer, .double]

  private func checkTypes() throws(StoredPath.Problem) {
    let kind = slot.kind
    let source = path?.slot?.kind
    let fits =
      switch derivation.kind {
      case .now: kind == .date
      case .path(nil): source == kind
      case .path: source == .text && kind == .text
      case .aggregate(.count): path?.slot == nil && Self.numbers.contains(kind)
      case .aggregate(.min), .aggregate(.max):
        source == kind
          || (source.map(Self.numbers.contains) ?? false && Self.numbers.contains(kind))
      case .aggregate:
        source.map(Self.numbers.contains) ?? false
          ? Self.numbers.contains(kind) : source == .decimal && kind == .decimal
      }
    if fits { return }
    throw StoredPath.Problem(
      "the expression gives no \(slot.attribute?.type.rawValue ?? "value") for this attribute")
  }
}

extension DerivedAttribute {
  /// The value for the row with the alias `t0`; `?2` is the time.
  var valueSQL: String {
    guard let path else { return "?2" }
    switch derivation.kind {
    case .now: return "?2"
    case .path(nil): return path.valueSQL
    case .path(let function?): return "\(DerivedFunctions.name(function))(\(path.valueSQL))"
    case .aggregate(let aggregate): return aggregateSQL(aggregate, path)
    }
  }

  private func aggregateSQL(_ aggregate: Derivation.Aggregate, _ path: StoredPath) -> String {
    guard let link = path.links.first else { return "NULL" }
    let key = quoted(SystemColumn.key)
    let from =
      link.far == SystemColumn.key
      ? "\(quoted(link.table)) AS v WHERE v.\(quoted(link.near)) = t0.\(key)"
      : """
      \(quoted(link.table)) AS l JOIN \(quoted(path.target.table)) AS v \
      ON v.\(key) = l.\(quoted(link.far)) WHERE l.\(quoted(link.near)) = t0.\(key)
      """
    let column = "v.\(quoted(path.slot?.column ?? SystemColumn.key))"
    let isDecimal = path.slot?.kind == .decimal
    let term =
      switch aggregate {
      case .count: "COUNT(*)"
      case _ where isDecimal:
        "\(DerivedFunctions.decimals)('\(aggregate.rawValue)', group_concat(\(column), ' '))"
      case .sum: "ifnull(SUM(\(column)), 0)"
      case .min: "MIN(\(column))"
      case .max: "MAX(\(column))"
      case .average: "AVG(\(column))"
      }
    // A number takes the attribute's type; null stays null.
    let cast =
      switch slot.kind {
      case .integer: "CAST(\(term) AS INTEGER)"
      case .double: "CAST(\(term) AS REAL)"
      default: term
      }
    return "(SELECT \(cast) FROM \(from))"
  }

  /// Computes the attribute for the objects whose keys are noted, and gives those that have another
  /// value then: `?1` is the attribute's number, `?2` the time.
  func updateSQL(_ layout: StoreLayout) -> String {
    let table = quoted(entity.table)
    let column = quoted(slot.column ?? "")
    let key = quoted(SystemColumn.key)
    let numbers = entity.familyNumbers(layout).map { numbers in
      " AND t0.\(SystemColumn.entity) IN (\(numbers.map(String.init).joined(separator: ", ")))"
    }
    let returning = entity.sharesTable ? "\(key), \(SystemColumn.entity)" : key
    return """
      UPDATE \(table) SET \(column) = fresh.value FROM \
      (SELECT t0.\(key) AS key, \(valueSQL) AS value FROM \(table) AS t0 WHERE t0.\(key) IN \
      (SELECT key FROM contrail_derived_due WHERE attribute = ?1)\(numbers ?? "")) AS fresh \
      WHERE \(table).\(key) = fresh.key AND \(table).\(column) IS NOT fresh.value \
      RETURNING \(returning)
      """
  }
}

extension DerivedAttribute {
  /// The triggers that note the objects whose values are due.
  func triggers(_ layout: StoreLayout) -> [String] {
    var made: [String] = []
    func add(_ event: String, _ table: String, when: String? = nil, _ keys: [String]) {
      let notes = keys.map {
        "INSERT OR IGNORE INTO contrail_derived_due SELECT \(number), * FROM (\($0));"
      }
      made.append(
        """
        CREATE TEMP TRIGGER contrail_derived_\(number)_\(made.count) AFTER \(event) \
        ON main.\(quoted(table))\(when.map { " WHEN \($0)" } ?? "") \
        BEGIN \(notes.joined(separator: " ")) END
        """)
    }
    func changed(_ columns: [String]) -> String {
      columns.map { "OLD.\(quoted($0)) IS NOT NEW.\(quoted($0))" }.joined(separator: " OR ")
    }
    func list(_ columns: [String]) -> String { columns.map(quoted).joined(separator: ", ") }

    let own = slot.column ?? ""
    let key = quoted(SystemColumn.key)
    add("INSERT", entity.table, ["SELECT NEW.\(key)"])
    guard let path else {
      let columns = writtenColumns(layout)
      if !columns.isEmpty {
        add("UPDATE OF \(list(columns))", entity.table, ["SELECT NEW.\(key)"])
      }
      return made
    }
    // The column itself too: an object that was overwritten as a whole gets its value back.
    let inputs = path.links.isEmpty ? [own, path.slot?.column ?? own] : [own]
    add("UPDATE OF \(list(inputs))", entity.table, when: changed(inputs), ["SELECT NEW.\(key)"])
    for (index, link) in path.links.enumerated() {
      let new = path.startKeys(of: "NEW.\(quoted(link.near))", behind: index)
      let old = path.startKeys(of: "OLD.\(quoted(link.near))", behind: index)
      let columns = [link.near, link.far].filter { $0 != SystemColumn.key }
      add("INSERT", link.table, [new])
      add("DELETE", link.table, [old])
      add("UPDATE OF \(list(columns))", link.table, when: changed(columns), [old, new])
    }
    guard let last = path.links.last else { return made }
    if let column = path.slot?.column {
      add(
        "UPDATE OF \(quoted(column))", path.target.table, when: changed([column]),
        [path.startKeys(of: "NEW.\(key)", behind: path.links.count)])
    }
    // NB: not for inserts: who refers to a new object was written in the same transaction.
    if last.far != SystemColumn.key {
      add(
        "DELETE", path.target.table, [path.startKeys(of: "OLD.\(key)", behind: path.links.count)])
    }
    return made
  }

  /// The columns that count as writing the object: all but derived ones.
  private func writtenColumns(_ layout: StoreLayout) -> [String] {
    var seen: Set<String> = []
    return entity.family.flatMap { index in
      let member = layout.entities[index]
      return member.columnSlots.map { member.slots[$0] }
    }.filter { $0.attribute?.derivation == nil }.compactMap(\.column)
      .filter { seen.insert($0).inserted }
  }
}
