import StoreFloors

/// What one run of one side came to.
struct SyncReading {
  /// Milliseconds that somebody waits.
  var wall = 0.0
  /// Milliseconds that processors work, for client and server together.
  var processor = 0.0
  /// The most memory that the client held beyond what it held before, and the most that the server held.
  var clientMB = 0.0
  var serverMB = 0.0
  /// What came of it, so that a side that skips work is found out.
  var result: Int64 = 0

  /// Measures `work`, which is done by this process and by a server.
  static func of(_ server: ChildProcess, _ work: () throws -> Int64) rethrows -> SyncReading {
    // What others have freed must not be memory that this work gets for nothing.
    floor_trim()
    Memory.resetPeak()
    Memory.resetPeak(of: "\(server.pid)")
    let held = Memory.heldMB()
    let served = server.processorMicroseconds
    var reading = try timed(work)
    reading.processor += (server.processorMicroseconds - served) / 1000
    reading.clientMB = max(0, Memory.peakMB() - held)
    reading.serverMB = server.peakMB
    return reading
  }

  /// Measures `work`, which this process does itself.
  private static func timed(_ work: () throws -> Int64) rethrows -> SyncReading {
    let (worked, began) = (ProcessorTime.microseconds(), ContinuousClock.now)
    let result = try work()
    return SyncReading(
      wall: (ContinuousClock.now - began) / .milliseconds(1),
      processor: (ProcessorTime.microseconds() - worked) / 1000, result: result)
  }
}

/// Adds up the parts of some work that are to be measured.
struct SyncStopwatch {
  private(set) var reading = SyncReading()

  mutating func measure<Value>(_ work: () throws -> Value) rethrows -> Value {
    let (worked, began) = (ProcessorTime.microseconds(), ContinuousClock.now)
    defer {
      reading.wall += (ContinuousClock.now - began) / .milliseconds(1)
      reading.processor += (ProcessorTime.microseconds() - worked) / 1000
    }
    return try work()
  }

  /// Adds what another process worked meanwhile.
  mutating func add(processor microseconds: Double) { reading.processor += microseconds / 1000 }

  /// The sum, and what came of it.
  func total(_ result: Int64) -> SyncReading {
    var reading = reading
    reading.result = result
    return reading
  }
}

/// A row about sync.
struct SyncRow {
  /// One side; takes the number of the run.
  typealias Side = (Int) throws -> SyncReading

  let name: String
  var target: Double?
  /// The most memory that either side may hold; nil where nothing is said of it.
  var megabytesMax: Double?
  let runs: Int
  var note: String
  let ours: Side
  var floor: Side?
}

extension Runner {
  /// How many runs a figure of sync is the median of.
  static let syncRunCount = 5

  /// Measures ours and the floor in turn, and adds the row; `isAlsoRight` may look at what was read.
  func alternate(_ row: SyncRow, isAlsoRight: () -> Bool = { true }) throws {
    guard wants(row.name) else { return }
    report.began(row.name)
    var (ours, floor): ([SyncReading], [SyncReading]) = ([], [])
    for number in 0..<row.runs {
      let isFloorFirst = number % 2 == 1
      if isFloorFirst, let side = row.floor { floor.append(try side(number)) }
      ours.append(try row.ours(number))
      if !isFloorFirst, let side = row.floor { floor.append(try side(number)) }
      report.advanced()
    }
    let results = Set((ours + floor).map(\.result))
    let peaks = (client: ours.map(\.clientMB).max() ?? 0, server: ours.map(\.serverMB).max() ?? 0)
    let isSmall = max(peaks.client, peaks.server) <= row.megabytesMax ?? .infinity
    add(
      Row(
        name: row.name, unit: "ms", ours: median(ours.map(\.wall)),
        floor: row.floor.map { _ in median(floor.map(\.wall)) }, target: row.target,
        peakMemoryMB: max(peaks.client, peaks.server),
        note: note(of: row, ours, floor)
          + "; client \(Int(peaks.client)) MB, server \(Int(peaks.server)) MB"
          + (row.megabytesMax.map { ", at most \(Int($0)) MB each" } ?? "")
          + (results.count > 1 ? "; THE SIDES SAW DIFFERENT THINGS: \(results.sorted())" : ""),
        isRight: results.count == 1 && isSmall && isAlsoRight()))
  }

  private func note(of row: SyncRow, _ ours: [SyncReading], _ floor: [SyncReading]) -> String {
    func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    let processor = (
      median(ours.map(\.processor)), floor.isEmpty ? nil : median(floor.map(\.processor))
    )
    var text = "wall time, the median of \(row.runs) runs; processor \(tenths(processor.0))"
    if let other = processor.1 {
      text += " and \(tenths(other)) ms, \(tenths(processor.0 / other)) times as much"
    } else {
      text += " ms"
    }
    return text + "; " + row.note
  }
}
