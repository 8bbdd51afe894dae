public import FoundationEssentials

/// The name of a record on the server, unique within its zone: text of 1 to 255 ASCII characters.
///
/// Names that we make are UUIDs of version 7, so that records made together sort together; names
/// that others made are taken as they are.
public struct RecordName: Hashable, Sendable {
  /// The longest name that the record service accepts.
  public static let charactersMax = 255

  /// The name as the wire spells it.
  public let text: String

  /// Takes `text` as a name, or returns nil when the record service would refuse it: it is empty,
  /// too long, begins with an underscore, or has a character outside printable ASCII.
  public init?(_ text: String) {
    guard Self.problem(with: text) == nil else { return nil }
    self.text = text
  }

  /// Takes `text` as it is, without a check.
  ///
  /// For `#recordName` only, whose text `problem(with:)` has passed already: the macro checks its literal when the
  /// program is compiled, and expands to this.
  public init(_checked text: String) {
    self.text = text
  }

  /// Makes a name from a time and from random bits, both given, so that a caller with a seed gets
  /// the same name again.
  public init(at time: Date, random: (UInt64, UInt64)) {
    text = UUID(version7At: time, random: random).uuidString
  }

  /// Why the record service would refuse `text`, as half a sentence; nil when it would not.
  public static func problem(with text: String) -> String? {
    if text.isEmpty { return "is empty" }
    if text.utf8.count > charactersMax { return "is longer than \(charactersMax) characters" }
    if text.utf8.first == UInt8(ascii: "_") { return "begins with an underscore" }
    if text.utf8.contains(where: { $0 < 0x20 || $0 > 0x7e }) {
      return "has a character outside printable ASCII"
    }
    return nil
  }
}

extension RecordName: CustomStringConvertible, Comparable {
  /// The name itself.
  public var description: String { text }

  /// Orders names as the server's index does, byte by byte.
  public static func < (left: RecordName, right: RecordName) -> Bool { left.text < right.text }
}

extension UUID {
  /// Milliseconds since 1970 in the first 48 bits, then random bits (RFC 9562, section 5.7).
  public init(version7At time: Date, random: (UInt64, UInt64)) {
    let milliseconds = UInt64(clamping: (time.timeIntervalSince1970 * 1000).clampedToInt64)
    let high = milliseconds << 16 | 0x7000 | (random.0 & 0x0fff)
    let low = 0x8000_0000_0000_0000 | (random.1 & 0x3fff_ffff_ffff_ffff)
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}

extension Double {
  /// The nearest 64-bit integer; never traps.
  fileprivate var clampedToInt64: Int64 {
    if isNaN { return 0 }
    if self >= 0x1p63 { return .max }
    return self <= -0x1p63 ? .min : Int64(self)
  }
}
