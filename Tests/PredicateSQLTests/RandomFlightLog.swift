import Foundation

/// A generator whose runs can be repeated.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

/// Values that are likely to be told apart wrongly.
struct Values {
  var random: Seeded
  init(seed: UInt64) { random = Seeded(seed: seed) }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(random.next() % UInt64(values.count))]
  }
  mutating func maybe<Value>(_ value: Value) -> Value? { random.next() % 3 == 0 ? nil : value }

  static let texts = [
    "", "a", "A", "ab", "abc", "Ann", "ann", "b", "caf\u{e9}", "cafe\u{301}", "cafe", "CAF\u{c9}",
    "x\u{301}", "x", "e", "\u{e9}", "\r\n", "\n", "a\r\nb", "\u{df}", "ss", "\u{1F1E9}\u{1F1EA}",
    "\u{1F1E9}", "\u{1F468}\u{200D}\u{1F469}", "\u{1F468}", "%_*?", "'", "\u{AC00}",
    "\u{1100}\u{1161}", "\u{1100}", "i\u{307}", "I", "\u{130}", "z\u{fffd}", "\u{10FFFF}",
    "\u{d7ff}a",
    "\u{212B}", "\u{C5}", "A\u{30A}", "\u{304B}\u{3099}", "\u{304B}",
  ]
  mutating func text() -> String {
    random.next() % 4 == 0 ? pick(Self.texts) + pick(Self.texts) : pick(Self.texts)
  }
  mutating func real() -> Double {
    pick([
      0, -0.0, 1, -1, 1.5, 2, 0.1, 1e308, -1e308, .infinity, -.infinity, .nan,
      .leastNonzeroMagnitude, 3, 9_007_199_254_740_992,
    ])
  }
  mutating func int() -> Int { pick([0, 1, -1, 2, 3, 4, 7, 1000, .max, .min]) }
  mutating func small() -> Int { pick([0, 1, -1, 2, 3, 4, 7, 10]) }
  mutating func date() -> Date { Date(timeIntervalSinceReferenceDate: real()) }
  mutating func decimal() -> Decimal {
    Decimal(string: pick(["0", "1", "-1", "1.5", "1.50", "0.1", "10", "9", "-0.25", "1e20"])) ?? 0
  }
  mutating func uuid() -> UUID {
    UUID(uuid: (UInt8(small() & 3), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(small() & 1)))
  }
  mutating func url() -> URL? {
    URL(string: pick(["https://a.org", "https://b.org/x", "file:///c"]))
  }

  mutating func entry(_ key: Int64, _ pilots: [Pilot], _ tags: [Tag]) -> Entry {
    let entry = random.next() % 3 == 0 ? NightEntry(key) : Entry(key)
    (entry as? NightEntry)?.lamps = small()
    // NB: in form C, since `<` is no order of other texts.
    entry.tail = text().precomposedStringWithCanonicalMapping
    entry.remarks = maybe(text())
    entry.hours = real()
    entry.fuel = maybe(real())
    entry.seats = small()
    entry.legs = maybe(int())
    entry.night = pick([true, false])
    entry.solo = maybe(pick([true, false]))
    entry.date = date()
    entry.landed = maybe(date())
    entry.price = decimal()
    entry.mark = uuid()
    entry.page = maybe(url()) ?? nil
    entry.mood = pick(Mood.allCases)
    entry.place = Place(street: text(), height: small())
    entry.pilot = maybe(pick(pilots))
    entry.tags = tags.filter { _ in random.next() % 3 == 0 }
    return entry
  }

  mutating func flightLog(entries: Int) throws -> FlightLog {
    var pilots: [Pilot] = []
    for key in 1...6 {
      pilots.append(
        Pilot(
          Int64(key), name: text().precomposedStringWithCanonicalMapping, nick: maybe(text()),
          age: small(), rating: decimal(), chief: pilots.isEmpty ? nil : maybe(pick(pilots))))
    }
    let tags = (1...5).map { Tag(Int64($0), text()) }
    let list = (1...entries).map { entry(Int64($0), pilots, tags) }
    for pilot in pilots { pilot.entries = list.filter { $0.pilot == pilot } }
    return try FlightLog(pilots: pilots, entries: list, tags: tags)
  }
}
