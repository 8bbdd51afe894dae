/// The digests of many records as one: their sum, which is the same in whatever order they came.
///
/// A sum and no exclusive or, so that two equal digests do not cancel each other.
public struct DigestSum: Hashable, Sendable {
  /// How many records there are, modulo 2^64.
  public private(set) var count: UInt64
  /// The sum of their digests.
  public private(set) var value: Digest128

  /// Sums up no records.
  public init() { self.init(count: 0, value: .zero) }

  /// Takes a sum that was kept.
  public init(count: UInt64, value: Digest128) {
    self.count = count
    self.value = value
  }

  /// Adds a record.
  public mutating func add(_ record: RecordDigest) {
    self += DigestSum(count: 1, value: record.value)
  }

  /// Takes a record away that was added.
  public mutating func remove(_ record: RecordDigest) {
    count &-= 1
    value.high &-= record.value.high
    value.low &-= record.value.low
  }

  /// Adds what another sum has.
  public static func += (sum: inout DigestSum, other: DigestSum) {
    sum.count &+= other.count
    sum.value.high &+= other.value.high
    sum.value.low &+= other.value.low
  }
}
