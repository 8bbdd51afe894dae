import DataModel
import RecordWire

/// Decides whether a record passes filters: the one judge, whatever index found the record.
struct QueryMatch: Sendable {
  let conditions: [QueryCondition]
  let zone: String

  init(_ filters: [CheckedFilter], zone: String) {
    conditions = filters.map { QueryCondition($0, zone: zone) }
    self.zone = zone
  }

  /// Whether the record passes all of them.
  func accepts(_ values: RowValues) -> Bool {
    conditions.allSatisfy { $0.accepts(values[$0.field], zone: zone) }
  }
}

/// One filter, its value ready to be compared with those of records in one zone.
struct QueryCondition: Sendable {
  /// What is found out, and with what.
  enum Test: Sendable {
    case equals([UInt8])
    case before([UInt8], orEqual: Bool)
    case after([UInt8], orEqual: Bool)
    case begins([UInt8])
    case isIn(Set<[UInt8]>)
    case hasAny(Set<[UInt8]>)
    case hasAll(Set<[UInt8]>)
    case memberBegins([UInt8])
    case allWords(Set<[UInt8]>)
    case anyWord(Set<[UInt8]>)
    case near(EarthPlace, metres: Double)
    /// What it is compared with is no value that a record could have.
    case never
  }

  let field: String
  let type: RecordSchema.FieldType
  let isNegated: Bool
  let test: Test

  init(_ filter: CheckedFilter, zone: String) {
    field = filter.field
    type = filter.type
    isNegated = filter.rule.isNegated
    test = Self.test(filter, zone: zone)
  }

  private static func test(_ filter: CheckedFilter, zone: String) -> Test {
    let (value, type) = (filter.value, filter.type)
    let elements = Set(value.elements.compactMap { IndexBytes.of($0, as: type, zone: zone) })
    let single = value.isList ? nil : elements.first
    switch filter.rule.test {
    case .equals: return single.map { .equals($0) } ?? .never
    case .before: return single.map { .before($0, orEqual: false) } ?? .never
    case .notAfter: return single.map { .before($0, orEqual: true) } ?? .never
    case .after: return single.map { .after($0, orEqual: false) } ?? .never
    case .notBefore: return single.map { .after($0, orEqual: true) } ?? .never
    case .begins: return single.map { .begins($0) } ?? .never
    case .memberBegins: return single.map { .memberBegins($0) } ?? .never
    case .isIn: return .isIn(elements)
    case .hasAny: return .hasAny(elements)
    case .hasAll: return .hasAll(elements)
    case .allWords: return .allWords(value.words)
    case .anyWord: return .anyWord(value.words)
    case .near:
      return value.locations.first.map { .near(EarthPlace($0), metres: filter.distance) } ?? .never
    }
  }

  /// Whether a record with that value passes; nil stands for none.
  func accepts(_ value: RecordValue?, zone: String) -> Bool {
    let isTrue = value.map { holds($0, zone: zone) } ?? false
    return isTrue != isNegated
  }

  private func holds(_ value: RecordValue, zone: String) -> Bool {
    switch test {
    case .never: return false
    case .near(let centre, let metres):
      let chord = EarthPlace.chord(ofMetres: metres)
      return value.locations.contains { EarthPlace($0).chord(to: centre) <= chord }
    case .allWords(let wanted): return !wanted.isEmpty && wanted.isSubset(of: value.words)
    case .anyWord(let wanted): return !wanted.isDisjoint(with: value.words)
    default: break
    }
    let found = value.elements.lazy.compactMap { IndexBytes.of($0, as: type, zone: zone) }
    switch test {
    case .memberBegins(let prefix): return found.contains { $0.starts(with: prefix) }
    case .hasAny(let wanted): return found.contains(where: wanted.contains)
    case .hasAll(let wanted): return wanted.isSubset(of: found)
    default: return found.first.map(holds) ?? false
    }
  }

  private func holds(_ bytes: [UInt8]) -> Bool {
    switch test {
    case .equals(let other): bytes == other
    case .before(let other, let orEqual):
      bytes.lexicographicallyPrecedes(other) || orEqual && bytes == other
    case .after(let other, let orEqual):
      other.lexicographicallyPrecedes(bytes) || orEqual && bytes == other
    case .begins(let prefix): bytes.starts(with: prefix)
    case .isIn(let others): others.contains(bytes)
    default: false
    }
  }
}
