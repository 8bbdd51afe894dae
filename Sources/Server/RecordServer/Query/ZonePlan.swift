import DataModel

/// Where the candidates for the records of one zone come from.
enum ZonePlan: Sendable, Equatable {
  /// From scans that each give the order of names, side by side.
  case byName([IndexScan])
  /// From all names of the zone.
  case byNameOfType
  /// From one scan, in the order of the first key.
  case byKey(IndexScan)
  /// From scans in no order: to be sorted.
  case sorted([IndexScan])
  /// Those names alone.
  case named([String])
  /// All records of the type: to be sorted.
  case sortedOfType
}

/// Chooses a plan for one zone: what is read, never what is found.
struct ZonePlanner {
  let query: CheckedQuery
  let zone: ZoneKey
  let limit: Int
  let transaction: any StorageTransaction
  /// Whether the index of names is complete.
  let hasNames: Bool
  private let conditions: [QueryCondition]
  private let drivers: [QueryDriver]

  init(
    _ query: CheckedQuery, _ zone: ZoneKey, limit: Int, hasNames: Bool, incomplete: Set<IndexSlot>,
    in transaction: any StorageTransaction
  ) {
    self.query = query
    self.zone = zone
    self.limit = limit
    self.transaction = transaction
    self.hasNames = hasNames
    conditions = QueryMatch(query.filters, zone: zone.name).conditions
    drivers = conditions.compactMap { condition in
      QueryDriver(condition, type: query.type.name).flatMap {
        incomplete.contains($0.slot) ? nil : $0
      }
    }
  }

  func plan() throws -> ZonePlan {
    if let names = namedRecords { return .named(names) }
    guard let first = query.order.keys.first else { return try planByName() }
    if first.centre != nil { return try planByDistance() }
    return try planByKey(first)
  }

  /// The names that a filter asks for, when it does.
  private var namedRecords: [String]? {
    for condition in conditions where condition.field == IndexNeed.nameField && !condition.isNegated
    {
      switch condition.test {
      case .equals(let name): return Self.names([name])
      case .isIn(let names) where names.count <= QueryLimits.rangesMax: return Self.names(names)
      case .never: return []
      default: break
      }
    }
    return nil
  }

  private static func names(_ names: some Sequence<[UInt8]>) -> [String] {
    // What is no text, such as a name with a zone, is no record's name here.
    names.compactMap { String(validating: $0, as: UTF8.self) }
  }

  private func planByName() throws -> ZonePlan {
    let isDescending = !query.order.isAscending
    if let best = try best(of: drivers.filter(\.isByName)) {
      return .byName(best.driver.scans(isDescending: isDescending))
    }
    if let other = try best(of: drivers), other.count <= QueryLimits.candidatesMax {
      return .sorted(other.driver.scans(isDescending: false))
    }
    guard hasNames else { return .byNameOfType }
    let slot = IndexSlot(type: query.type.name, field: IndexNeed.nameField, kind: .value)
    // All of its entries have this one value.
    return .byName([
      IndexScan(slot, IndexRange(only: IndexBytes.absent), isDescending: isDescending)
    ])
  }

  private func planByDistance() throws -> ZonePlan {
    try best(of: drivers).map { .sorted($0.driver.scans(isDescending: false)) } ?? .sortedOfType
  }

  /// In the order of an index, unless a filter leaves so few that sorting them looks at fewer records.
  private func planByKey(_ key: QueryOrder.Key) throws -> ZonePlan {
    let slot = IndexSlot(type: query.type.name, field: key.field, kind: .value)
    let own = drivers.filter { $0.slot == slot && $0.ranges.count == 1 }.flatMap(\.ranges)
    let ordered = IndexScan(
      slot, own.reduce(.all) { $0.intersection($1) }, isDescending: !key.isAscending)
    let others = drivers.filter { $0.slot != slot || $0.ranges.count != 1 }
    guard let best = try best(of: others), best.count <= QueryLimits.candidatesMax else {
      return .byKey(ordered)
    }
    // Where values are independent, a page in the order of the index looks at limit * all / found.
    let bound = best.count * best.count / max(1, limit)
    let isFew = try best.count <= limit || count([ordered], upTo: bound + 1) > bound
    return isFew ? .sorted(best.driver.scans(isDescending: false)) : .byKey(ordered)
  }

  /// The driver with the fewest entries, and how many these are, counted as far as it matters.
  private func best(of drivers: [QueryDriver]) throws -> (driver: QueryDriver, count: Int)? {
    var best: (driver: QueryDriver, count: Int)?
    for driver in drivers {
      let count = try count(
        driver.scans(isDescending: false), upTo: best?.count ?? QueryLimits.candidatesMax + 1)
      if best.map({ count < $0.count }) ?? true { best = (driver, count) }
    }
    return best
  }

  private func count(_ scans: [IndexScan], upTo limit: Int) throws -> Int {
    var count = 0
    for scan in scans where count < limit {
      count += try transaction.count(scan, in: zone, limit: limit - count)
    }
    return count
  }
}
