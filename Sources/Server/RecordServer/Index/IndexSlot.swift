/// The place of one field's entries in a storage's index.
///
/// One slot serves both `queryable` and `sortable`: values in order answer equality and ranges alike.
public struct IndexSlot: Hashable, Sendable {
  /// What the entries of a slot hold.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The value of a field, or that there is none.
    case value
    /// The elements of a list.
    case member
    /// The words of a text.
    case word
    /// The strip of the earth that a place is in.
    case place
  }

  /// The record type.
  public var type: String
  /// The field, by its name in the schema.
  public var field: String
  /// What the entries hold.
  public var kind: Kind

  /// Names a slot.
  public init(type: String, field: String, kind: Kind) {
    self.type = type
    self.field = field
    self.kind = kind
  }
}

/// One entry of an index: that a record has a value.
public struct IndexEntry: Hashable, Sendable {
  /// The field.
  public var slot: IndexSlot
  /// The value, as `IndexBytes` writes it.
  public var value: [UInt8]

  /// Makes an entry.
  public init(_ slot: IndexSlot, _ value: [UInt8]) {
    self.slot = slot
    self.value = value
  }
}

/// Which entries of a slot are read, and in which direction.
public struct IndexScan: Hashable, Sendable {
  /// A place in a slot: entries are in the order of their values, then of their records' names.
  public struct Place: Hashable, Sendable {
    /// The value.
    public var value: [UInt8]
    /// The record's name.
    public var name: String
    /// Whether an entry at this very place is read too.
    public var isIncluded: Bool

    /// Names a place.
    public init(_ value: [UInt8], _ name: String, isIncluded: Bool = false) {
      self.value = value
      self.name = name
      self.isIncluded = isIncluded
    }
  }

  /// The slot.
  public var slot: IndexSlot
  /// The values that are read.
  public var range: IndexRange
  /// Whether large values, and among equal ones large names, come first.
  public var isDescending: Bool
  /// Where to begin; nil means at the beginning.
  public var start: Place?

  /// Describes what is read.
  public init(
    _ slot: IndexSlot, _ range: IndexRange = .all, isDescending: Bool = false, start: Place? = nil
  ) {
    self.slot = slot
    self.range = range
    self.isDescending = isDescending
    self.start = start
  }
}

/// A record found by an index, and the value it was found by.
public struct IndexedRow: Hashable, Sendable {
  /// The entry's value.
  public var value: [UInt8]
  /// The record.
  public var row: RecordRow

  /// Describes what was found.
  public init(_ value: [UInt8], _ row: RecordRow) {
    self.value = value
    self.row = row
  }
}

/// A range of the values of entries.
public struct IndexRange: Hashable, Sendable {
  /// The least value that is in the range.
  public var lower: [UInt8]
  /// The least value that comes after the range.
  public var upper: [UInt8]

  /// Describes a range.
  public init(from lower: [UInt8], before upper: [UInt8]) {
    self.lower = lower
    self.upper = upper
  }

  /// Just one value.
  public init(only value: [UInt8]) { self.init(from: value, before: Self.successor(of: value)) }

  /// Every entry.
  public static let all = IndexRange(from: [], before: [2])
  /// Entries with a value; without those that say that there is none.
  static let present = IndexRange(from: [1], before: [2])

  /// The one value that is in the range; nil where there may be several.
  var only: [UInt8]? { upper == Self.successor(of: lower) ? lower : nil }

  /// The value that follows at once in the order of bytes.
  static func successor(of value: [UInt8]) -> [UInt8] { value + [0] }

  /// What both have in common.
  func intersection(_ other: IndexRange) -> IndexRange {
    IndexRange(
      from: lower.lexicographicallyPrecedes(other.lower) ? other.lower : lower,
      before: upper.lexicographicallyPrecedes(other.upper) ? upper : other.upper)
  }

  /// Whether a value is in the range.
  func contains(_ value: [UInt8]) -> Bool {
    !value.lexicographicallyPrecedes(lower) && value.lexicographicallyPrecedes(upper)
  }
}
