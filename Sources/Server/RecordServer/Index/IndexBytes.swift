import DataModel
import RecordWire

/// Values as bytes whose order is the order of the values, so that one table keeps all types.
///
/// Texts, names and bytes are compared byte by byte: EQUALS tells upper from lower case, as cloud
/// services do, and the order depends on no language.
enum IndexBytes {
  /// How many bytes of a value an index holds; sorting looks at no more.
  ///
  /// The keys of all sort orders have to fit into a continuation marker.
  static let prefixMax = 256

  /// The entry of a record without a value; or, for a list, a text or a place, of one that has to be
  /// looked at whatever is asked.
  static let absent: [UInt8] = [0]

  /// The value of a field of `type`; nil for null, for what has no order, and for values of another type.
  ///
  /// A reference without a zone means the zone of its record, which is `zone`.
  static func of(
    _ value: RecordValue, as type: RecordSchema.FieldType, zone: String
  ) -> [UInt8]? {
    switch (value, type) {
    case (.string(let text), .string): Array(text.utf8)
    case (.bytes(let bytes), .bytes): bytes
    case (.int64(let number), .int64), (.timestamp(let number), .timestamp): of(number)
    case (.int64(let number), .double), (.int64(let number), .number): of(Double(number))
    case (.double(let number), .double), (.double(let number), .number): of(number)
    case (.reference(let reference), .reference): of(reference, zone: zone)
    default: nil
    }
  }

  private static func of(_ reference: RecordReference, zone: String) -> [UInt8] {
    let name = Array(reference.recordName.utf8)
    guard let other = reference.zone?.name, other != zone else { return name }
    return name + [0] + Array(other.utf8)
  }

  /// Negative numbers come first once the sign is turned.
  private static func of(_ number: Int64) -> [UInt8] {
    bigEndian(UInt64(bitPattern: number) ^ (1 << 63))
  }

  /// Bits of positive numbers have the order of the numbers, those of negative ones the opposite.
  static func of(_ number: Double) -> [UInt8] {
    // Zero has two signs and is one number.
    let bits = (number == 0 ? 0.0 : number).bitPattern
    return bigEndian(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
  }

  private static func bigEndian(_ bits: UInt64) -> [UInt8] {
    withUnsafeBytes(of: bits.bigEndian) { Array($0) }
  }

  /// The entry of a value: what it is, cut off where it is long.
  static func entry(_ value: [UInt8]?) -> [UInt8] {
    guard let value else { return absent }
    return [1] + value.prefix(prefixMax)
  }
}
