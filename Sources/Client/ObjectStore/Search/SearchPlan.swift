import DataModel

/// What of a schema can be searched: the texts marked `.spotlight`.
///
/// The index has one row for each object, so that words are found together although one is in the title
/// and the other in the text. Its columns are the entity's searchable attributes in their order; what
/// comes behind the last column is in that one too.
struct SearchPlan: Sendable {
  /// How many columns the index has at most.
  static let columnsMax = 8
  /// In a row's number, how many bits are the object's key.
  private static let keyBits: Int64 = 44

  let layout: StoreLayout
  /// For each entity of the layout the slots that are searched.
  let slots: [[Int]]
  /// How many columns the index has; 0 where there is nothing to search.
  let columnCount: Int
  /// The numbers of properties whose changes matter.
  let properties: Set<Int>
  /// What the index was made for, as text: another one has to be made for another plan.
  let signature: String

  init(_ layout: StoreLayout) {
    self.layout = layout
    slots = layout.entities.map { entity in
      entity.columnSlots.filter {
        entity.slots[$0].kind == .text
          && entity.slots[$0].attribute?.options.contains(.spotlight) == true
      }
    }
    columnCount = min(slots.map(\.count).max() ?? 0, Self.columnsMax)
    let numbers = zip(layout.entities, slots).map { entity, slots in
      (entity.number, slots.map { entity.slots[$0].number })
    }
    properties = Set(numbers.flatMap(\.1))
    signature =
      "1:"
      + numbers.filter { !$0.1.isEmpty }.sorted { $0.0 < $1.0 }.map { number, properties in
        "\(number)=\(properties.map(String.init).joined(separator: ","))"
      }.joined(separator: ";")
  }

  var isEmpty: Bool { columnCount == 0 }

  var columns: [String] { (0..<columnCount).map { "text\($0)" } }

  /// The topmost entities that have, or whose descendants have, something to search.
  var roots: [EntityLayout] {
    layout.entities.filter { entity in
      entity.root == entity.index && entity.family.contains { !slots[$0].isEmpty }
    }
  }

  /// The number of an object's row in the index; nil for a key beyond what fits, which no store reaches.
  func row(_ root: EntityLayout, _ key: Int64) -> Int64? {
    guard key > 0, key < 1 << Self.keyBits, root.number < 1 << 18 else { return nil }
    return Int64(root.number) << Self.keyBits | key
  }

  /// The object that a row of the index is about.
  func object(_ row: Int64) -> (root: EntityLayout, key: Int64)? {
    guard let root = layout.entity(number: Int(row >> Self.keyBits)) else { return nil }
    return (root, row & (1 << Self.keyBits - 1))
  }

  /// The rows of one hierarchy.
  func rows(of root: EntityLayout) -> ClosedRange<Int64> {
    let first = Int64(root.number) << Self.keyBits
    return first...(first | (1 << Self.keyBits - 1))
  }

  /// The names of the attributes that stand in a column for objects of an entity.
  func names(_ entity: EntityLayout, column: Int) -> [String] {
    let slots = slots[entity.index]
    guard column < slots.count else { return [] }
    let last = column == columnCount - 1 ? slots.count : column + 1
    return slots[column..<last].map { entity.slots[$0].name }
  }
}
