import DataModel
import RecordWire

/// The order of a query's results: keys of records first, then their names, then their zones.
///
/// Every two records have different places in it, so a page can say exactly where it ends. A record
/// without a value comes before all others, or in a descending order after them; one without a place is
/// farther away than any.
struct QueryOrder: Sendable {
  /// One key.
  struct Key: Sendable {
    let field: String
    let type: RecordSchema.FieldType
    let isAscending: Bool
    /// Where distances are taken from.
    let centre: EarthPlace?
  }

  let keys: [Key]
  /// The direction of names and zones: that of the last key, so that one index can be read either way.
  let isAscending: Bool

  /// A record's place in the order.
  struct Position: Hashable, Sendable {
    var keys: [[UInt8]]
    var name: String
    var zone: String
  }

  func position(of values: RowValues, zone: String) -> Position {
    Position(
      keys: keys.map { $0.bytes(of: values[$0.field], zone: zone) }, name: values.row.name,
      zone: zone)
  }

  /// Whether one place comes before another.
  func precedes(_ left: Position, _ right: Position) -> Bool {
    for (index, key) in keys.enumerated() where left.keys[index] != right.keys[index] {
      return left.keys[index].lexicographicallyPrecedes(right.keys[index]) == key.isAscending
    }
    for (one, other) in [(left.name, right.name), (left.zone, right.zone)] {
      if one.utf8.elementsEqual(other.utf8) { continue }
      return one.precedesInBytes(other) == isAscending
    }
    return false
  }
}

extension QueryOrder.Key {
  /// What stands for a place that is not there.
  private static let farthest: [UInt8] = [2]

  fileprivate func bytes(of value: RecordValue?, zone: String) -> [UInt8] {
    guard let centre else {
      return IndexBytes.entry(value.flatMap { IndexBytes.of($0, as: type, zone: zone) })
    }
    guard let place = value?.locations.first else { return Self.farthest }
    return IndexBytes.entry(IndexBytes.of(EarthPlace(place).chord(to: centre)))
  }
}

extension QueryOrder.Position {
  /// The place as a continuation marker carries it.
  var bytes: [UInt8] {
    (keys + [Array(name.utf8), Array(zone.utf8)]).flatMap { part in
      [UInt8(truncatingIfNeeded: part.count >> 8), UInt8(truncatingIfNeeded: part.count)] + part
    }
  }

  /// Reads what `bytes` gives for an order of `keyCount` keys; nil for anything else.
  init?(_ bytes: [UInt8], keyCount: Int) {
    var rest = bytes[...]
    var parts: [[UInt8]] = []
    while let high = rest.popFirst() {
      guard let low = rest.popFirst() else { return nil }
      let count = Int(high) << 8 | Int(low)
      guard count <= rest.count else { return nil }
      parts.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    guard parts.count == keyCount + 2,
      let name = String(validating: parts[keyCount], as: UTF8.self),
      let zone = String(validating: parts[keyCount + 1], as: UTF8.self)
    else { return nil }
    self.init(keys: Array(parts.prefix(keyCount)), name: name, zone: zone)
  }
}
