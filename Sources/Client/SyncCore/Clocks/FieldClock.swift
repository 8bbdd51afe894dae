/// Which of a program's installations; each makes a number of its own at random, once.
public struct DeviceNumber: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// Takes a number as it is.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Whoever writes without clocks: the web, a server, an older program.
  public static let unknown = DeviceNumber(rawValue: 0)

  /// Orders devices, so that all of them decide alike between edits of one moment.
  public static func < (left: DeviceNumber, right: DeviceNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// When a field was edited last, and on which device: the later edit wins, and of two of one moment that
/// of the greater device.
public struct FieldClock: Hashable, Comparable, Sendable {
  /// The moment of the edit.
  public var time: HybridTime
  /// The device that it was made on.
  public var device: DeviceNumber

  /// Describes an edit.
  public init(_ time: HybridTime, _ device: DeviceNumber) {
    self.time = time
    self.device = device
  }

  /// Before all edits: of a value that nobody set.
  public static let origin = FieldClock(.origin, .unknown)

  /// Orders edits.
  public static func < (left: FieldClock, right: FieldClock) -> Bool {
    (left.time, left.device) < (right.time, right.device)
  }
}
