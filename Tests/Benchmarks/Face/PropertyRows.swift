import Contrail
import Foundation

/// Reads and writes of properties, beside the same of an `@Observable` class.
enum PropertyRows {
  /// How often a property is read or written in one go; µs for that many are ns for one.
  static let accessCount = 1000
  /// How much more than a property of an `@Observable` class one may cost.
  static let readTarget = 1.5
  static let writeTarget = 2.0

  static func run(_ runner: Runner, _ gauges: Gauges) throws {
    for state in gauges.states {
      for property in properties {
        try runner.compare(
          "read of \(property.name), \(state.name)", target: readTarget, unit: "ns", note: note,
          ours: { keep(property.read(state.gauge, accessCount)) },
          floor: { keep(property.readPlain(gauges.plain, accessCount)) })
        try runner.compare(
          "write of \(property.name), \(state.name)", target: writeTarget, unit: "ns", note: note,
          ours: { property.write(state.gauge, accessCount) },
          floor: { property.writePlain(gauges.plain, accessCount) })
      }
      addAllocations(runner, of: state)
      for property in encodedProperties {
        // One write and one read each, so that each read has to do with what was set just before.
        try runner.compare(
          "set and read back of \(property.name), \(state.name)", target: nil, unit: "ns",
          note: "what is encoded is encoded and decoded each time; floor @Observable",
          ours: { for _ in 0..<accessCount { keep(property.writeAndRead(state.gauge)) } },
          floor: { for _ in 0..<accessCount { keep(property.writeAndReadPlain(gauges.plain)) } })
      }
    }
  }

  private static let note = "one property of one object, again and again; floor @Observable"

  /// How many allocations it takes to read and write every property.
  private static func addAllocations(_ runner: Runner, of state: Gauges.State) {
    let name = "allocations by that, \(state.name)"
    guard runner.wants(name) else { return }
    // One after the other: the first read of a decimal or a URL that was set is read out of its text.
    let count =
      AllocationCounter.count {
        for property in properties { keep(property.read(state.gauge, accessCount)) }
      }
      + AllocationCounter.count {
        for property in properties { property.write(state.gauge, accessCount) }
      }
    runner.add(
      Row(
        name: name, unit: "", ours: Double(count), floor: nil, target: nil, peakMemoryMB: 0,
        note: "\(accessCount) reads, then writes, of each property",
        isRight: count == 0))
  }

  private static let properties = simpleProperties + encodedProperties

  private static let simpleProperties: [Property] = [
    Property(
      "Int", read: { times($0, $1) { $0.count } }, write: { steps($0, $1) { $0.count = $1 } },
      readPlain: { times($0, $1) { $0.count } },
      writePlain: { steps($0, $1) { $0.count = $1 } }),
    Property(
      "Double", read: { times($0, $1) { Int($0.level) } },
      write: { steps($0, $1) { $0.level = Double($1) } },
      readPlain: { times($0, $1) { Int($0.level) } },
      writePlain: { steps($0, $1) { $0.level = Double($1) } }),
    Property(
      "String", read: { times($0, $1) { $0.label.utf8.count } },
      write: { steps($0, $1) { $0.label = labels[$1 & 1] } },
      readPlain: { times($0, $1) { $0.label.utf8.count } },
      writePlain: { steps($0, $1) { $0.label = labels[$1 & 1] } }),
    Property(
      "Int?", read: { times($0, $1) { $0.limit ?? 1 } },
      write: { steps($0, $1) { $0.limit = $1 & 1 == 0 ? nil : $1 } },
      readPlain: { times($0, $1) { $0.limit ?? 1 } },
      writePlain: { steps($0, $1) { $0.limit = $1 & 1 == 0 ? nil : $1 } }),
    Property(
      "enum of Int", read: { times($0, $1) { $0.phase == .busy ? 1 : 2 } },
      write: { steps($0, $1) { $0.phase = $1 & 1 == 0 ? .idle : .busy } },
      readPlain: { times($0, $1) { $0.phase == .busy ? 1 : 2 } },
      writePlain: { steps($0, $1) { $0.phase = $1 & 1 == 0 ? .idle : .busy } }),
    Property(
      "enum of String", read: { times($0, $1) { $0.mood == .tense ? 1 : 2 } },
      write: { steps($0, $1) { $0.mood = $1 & 1 == 0 ? .calm : .merry } },
      readPlain: { times($0, $1) { $0.mood == .tense ? 1 : 2 } },
      writePlain: { steps($0, $1) { $0.mood = $1 & 1 == 0 ? .calm : .merry } }),
    Property(
      "Bool", read: { times($0, $1) { $0.isOn ? 1 : 2 } },
      write: { steps($0, $1) { $0.isOn = $1 & 1 == 0 } },
      readPlain: { times($0, $1) { $0.isOn ? 1 : 2 } },
      writePlain: { steps($0, $1) { $0.isOn = $1 & 1 == 0 } }),
    Property(
      "Date", read: { times($0, $1) { Int($0.day.timeIntervalSinceReferenceDate) } },
      write: { steps($0, $1) { $0.day = Date(timeIntervalSinceReferenceDate: Double($1)) } },
      readPlain: { times($0, $1) { Int($0.day.timeIntervalSinceReferenceDate) } },
      writePlain: { steps($0, $1) { $0.day = Date(timeIntervalSinceReferenceDate: Double($1)) } }),
    Property(
      "UUID", read: { times($0, $1) { Int($0.key.uuid.0) } },
      write: { steps($0, $1) { $0.key = keys[$1 & 1] } },
      readPlain: { times($0, $1) { Int($0.key.uuid.0) } },
      writePlain: { steps($0, $1) { $0.key = keys[$1 & 1] } }),
    Property(
      "Decimal", read: { times($0, $1) { $0.price.isNaN ? 1 : 2 } },
      write: { steps($0, $1) { $0.price = prices[$1 & 1] } },
      readPlain: { times($0, $1) { $0.price.isNaN ? 1 : 2 } },
      writePlain: { steps($0, $1) { $0.price = prices[$1 & 1] } }),
    Property(
      "URL", read: { times($0, $1) { one($0.place) } },
      write: { steps($0, $1) { $0.place = places[$1 & 1] } },
      readPlain: { times($0, $1) { one($0.place) } },
      writePlain: { steps($0, $1) { $0.place = places[$1 & 1] } }),
  ]

  /// What is made of others, or is long.
  private static let encodedProperties: [Property] = [
    Property(
      "Data", read: { times($0, $1) { one($0.picture) } },
      write: { steps($0, $1) { $0.picture = pictures[$1 & 1] } },
      readPlain: { times($0, $1) { one($0.picture) } },
      writePlain: { steps($0, $1) { $0.picture = pictures[$1 & 1] } }),
    Property(
      "[String]", read: { times($0, $1) { one($0.names) } },
      write: { steps($0, $1) { $0.names = names[$1 & 1] } },
      readPlain: { times($0, $1) { one($0.names) } },
      writePlain: { steps($0, $1) { $0.names = names[$1 & 1] } }),
    Property(
      "structure", read: { times($0, $1) { $0.spot.number } },
      write: { steps($0, $1) { $0.spot = spots[$1 & 1] } },
      readPlain: { times($0, $1) { $0.spot.number } },
      writePlain: { steps($0, $1) { $0.spot = spots[$1 & 1] } }),
    Property(
      "enum with texts", read: { times($0, $1) { one($0.notice) } },
      write: { steps($0, $1) { $0.notice = notices[$1 & 1] } },
      readPlain: { times($0, $1) { one($0.notice) } },
      writePlain: { steps($0, $1) { $0.notice = notices[$1 & 1] } }),
  ]

  private static let pictures = [Data(repeating: 1, count: 4096), Data(repeating: 2, count: 100)]
  private static let names = [["here", "there"], []]
  private static let notices = [
    Notice.text("a text that is longer than fifteen bytes"), .code(7, reason: nil),
  ]
  private static let spots = [Spot(), Spot(street: "Mall", number: 2, floor: 3)]

  private static let prices = [Decimal(1) / 4, Decimal(12)]
  private static let places = [URL(filePath: "/here"), URL(filePath: "/there")]
  private static let keys = [UUID(), UUID()]

  /// One that fits into a `String` itself, and one that does not.
  private static let labels = ["Rome", "a label that is longer than fifteen bytes"]

  /// Adds up what `count` reads give, so that each has to be done.
  @inline(__always)
  private static func times<Model>(_ model: Model, _ count: Int, _ read: (Model) -> Int) -> Int {
    var sum = 0
    for _ in 0..<count { sum &+= read(model) }
    return sum
  }

  /// One, of a value that has been read: what `URL` says of itself costs more or less by how it was made.
  @inline(never)
  private static func one<Value>(_ value: Value) -> Int { 1 }

  /// Writes `count` times, never what was written last.
  @inline(__always)
  private static func steps<Model>(_ model: Model, _ count: Int, _ write: (Model, Int) -> Void) {
    for step in 0..<count { write(model, step) }
  }

  private struct Property: Sendable {
    let name: String
    let read: @Sendable (Gauge, Int) -> Int
    let write: @Sendable (Gauge, Int) -> Void
    let readPlain: @Sendable (PlainGauge, Int) -> Int
    let writePlain: @Sendable (PlainGauge, Int) -> Void

    func writeAndRead(_ gauge: Gauge) -> Int {
      write(gauge, 1)
      return read(gauge, 1)
    }

    func writeAndReadPlain(_ gauge: PlainGauge) -> Int {
      writePlain(gauge, 1)
      return readPlain(gauge, 1)
    }

    init(
      _ name: String,
      read: @escaping @Sendable (Gauge, Int) -> Int,
      write: @escaping @Sendable (Gauge, Int) -> Void,
      readPlain: @escaping @Sendable (PlainGauge, Int) -> Int,
      writePlain: @escaping @Sendable (PlainGauge, Int) -> Void
    ) {
      self.name = name
      self.read = read
      self.write = write
      self.readPlain = readPlain
      self.writePlain = writePlain
    }
  }
}

/// Objects whose properties are read and written.
struct Gauges {
  struct State {
    let name: String
    let gauge: Gauge
  }

  let plain = PlainGauge()
  let states: [State]
  private let contexts: [ModelContext]

  init() throws {
    let container = try ModelContainer(
      for: Gauge.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writing = ModelContext(container)
    let gauge = Gauge()
    writing.insert(gauge)
    try writing.save()
    let reading = ModelContext(container)
    let found = try reading.fetch(FetchDescriptor<Gauge>())
    contexts = [writing, reading]
    states =
      found.map { State(name: "fetched", gauge: $0) } + [State(name: "detached", gauge: Gauge())]
  }
}
