extension FieldClocks {
  /// The version of the form below; a form that this version does not know tells no clocks.
  private static let version: UInt8 = 1
  /// The most fields that may have clocks of their own: records have no more fields.
  static let entriesMax = 4_096

  /// The clocks as the record's field holds them: the same clocks are the same bytes on every device.
  ///
  /// A version; the devices with the latest edit of each, sorted; the common clock, if any; then each
  /// field with a clock of its own, sorted by name. Numbers are in seven bits a byte, but moments and
  /// devices are whole words, the highest byte first. A clock names its device by its place.
  public var bytes: [UInt8] {
    var writer = ClockWriter(devices: seen.map(\.device))
    writer.append(Self.version)
    writer.append(number: seen.count)
    for clock in seen {
      writer.append(word: clock.device.rawValue)
      writer.append(word: clock.time.rawValue)
    }
    writer.append(common == nil ? 0 : 1)
    if let common { writer.append(common) }
    writer.append(number: own.count)
    for entry in own {
      writer.append(entry.name)
      writer.append(entry.clock)
    }
    return writer.bytes
  }

  /// Reads what `bytes` wrote; nil for anything else, such as a form of a later version, or moments that nobody can
  /// have had.
  public init?(bytes: [UInt8]) {
    var reader = ClockReader(rest: bytes[...])
    guard reader.byte() == Self.version, reader.readSeen(), let hasCommon = reader.byte(),
      hasCommon <= 1
    else { return nil }
    var common: FieldClock?
    if hasCommon == 1 {
      guard let clock = reader.clock() else { return nil }
      common = clock
    }
    guard let count = reader.number(), count <= Self.entriesMax else { return nil }
    var entries: [Entry] = []
    for _ in 0..<count {
      guard let name = reader.name(), let clock = reader.clock() else { return nil }
      entries.append(Entry(name: name, clock: clock))
    }
    guard reader.isAtEnd else { return nil }
    self.init(common: common, sorted: entries, seen: reader.seen)
  }
}

private struct ClockWriter {
  var bytes: [UInt8] = []
  let devices: [DeviceNumber]

  init(devices: [DeviceNumber]) { self.devices = devices }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(number: Int) {
    var rest = UInt64(clamping: number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func append(word: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  mutating func append(_ name: String) {
    append(number: name.utf8.count)
    bytes.append(contentsOf: name.utf8)
  }

  mutating func append(_ clock: FieldClock) {
    append(number: devices.firstIndex(of: clock.device) ?? 0)
    append(word: clock.time.rawValue)
  }
}

private struct ClockReader {
  var rest: ArraySlice<UInt8>
  var seen: [FieldClock] = []

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  /// A number of at most five groups of seven bits, which is more than any count here needs.
  mutating func number() -> Int? {
    var value = 0
    for group in 0..<5 {
      guard let byte = byte() else { return nil }
      value |= Int(byte & 0x7f) << (7 * group)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  mutating func word() -> UInt64? {
    guard rest.count >= 8 else { return nil }
    defer { rest = rest.dropFirst(8) }
    return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func readSeen() -> Bool {
    guard let count = number(), count <= rest.count / 16 else { return false }
    for _ in 0..<count {
      guard let device = word(), let time = time() else { return false }
      seen.append(FieldClock(time, DeviceNumber(rawValue: device)))
    }
    return true
  }

  mutating func name() -> String? {
    guard let count = number(), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return String(validating: rest.prefix(count), as: UTF8.self)
  }

  mutating func clock() -> FieldClock? {
    guard let place = number(), seen.indices.contains(place), let time = time() else {
      return nil
    }
    return FieldClock(time, seen[place].device)
  }

  private mutating func time() -> HybridTime? {
    guard let word = word() else { return nil }
    let time = HybridTime(rawValue: word)
    return time <= .lastBelieved ? time : nil
  }
}
