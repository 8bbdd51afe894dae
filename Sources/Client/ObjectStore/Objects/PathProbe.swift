public import DataModel
import FoundationEssentials

/// Finds out which property a key path leads to, by following it on an object that is none: which slots
/// are asked for is noted, and what they answer is made up.
public final class PathProbe {
  /// How many rounds of made up values there are.
  public static let rounds = 4

  private let layout: EntityLayout
  private let row: Row
  /// The slots that were asked for, in order.
  public private(set) var slots: [Int] = []

  /// Makes up the values of a round, from those given for the slots of some names; nil for no values.
  public init(_ layout: EntityLayout, round: Int?, from given: [String: [FieldValue]] = [:]) {
    self.layout = layout
    row = Row(layout)
    guard let round else { return }
    for slot in layout.slots.indices {
      if let values = given[layout.slots[slot].name], !values.isEmpty {
        _ = row.setValue(slot, values[round % values.count], layout)
      } else {
        fill(slot, round)
      }
    }
  }

  deinit { row.free(layout) }

  /// An object that answers by this probe.
  public func object() -> ManagedObject { ManagedObject(probed: layout, by: self) }

  func note(_ slot: Int?) -> Row {
    if let slot { slots.append(slot) }
    return row
  }

  private static let integers: [Int64] = [0, 1, -7, 100]
  private static let doubles: [Double] = [0, -2.5, 1_000_000.25, 86_400]
  private static let texts = ["", " Zürich a.B ", "qX7", "abc DEF"]
  private static let decimals = ["0", "-12.5", "7", "1000000"]

  private func fill(_ slot: Int, _ round: Int) {
    let round = round % Self.rounds
    switch layout.slots[slot].kind {
    case .integer: row.set(slot, Self.integers[round], layout)
    case .double, .date: row.set(slot, Self.doubles[round], layout)
    case .text: row.set(slot, Self.texts[round], layout)
    case .decimal: row.set(slot, Self.decimals[round], layout)
    case .uuid:
      let byte = UInt8(round)
      row.set(
        slot,
        UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte)), layout)
    case .bytes: row.set(slot, BytesSlot(bytes: [UInt8(round)], file: nil), layout)
    case .reference, .related: return
    }
  }
}
