import StoreFloors

/// A row about work that takes long, writes files or must not be done twice in the same place.
///
/// `Bench` is what the sides work with: paths, sizes, values that were made before.
struct HeavyRow<Bench> {
  /// One side of the row: sets up, lets the stopwatch measure the work, and cleans up; returns what
  /// the work has seen, so that a side that skips work is found out.
  typealias Side = (Bench, Stopwatch) throws -> Int64

  let name: String
  /// The largest ratio of ours to the floor; nil for a row that only informs.
  var target: Double?
  /// The longest that a person may wait for ours, whatever the floor takes.
  var millisecondsMax: Double?
  /// What `ours`, `floor` and the target are about; the note has the other figure.
  var figure = Figure.processor
  /// How often the work is done within one run: short work that leaves nothing behind more often.
  var repeats = 1
  /// What the row is about, besides its size.
  var note = ""
  /// How many rows, look-ups or transactions the work is about.
  var items: (Bench) -> Int
  /// Done once, before the first run.
  var prepare: (Bench) throws -> Void = { _ in }
  let ours: Side
  var floor: Side?
}

/// Which time a row is about.
enum Figure: String {
  /// What processors have worked for the process, which other programs change least.
  case processor
  /// What a person waits, which is right where the work is waiting.
  case wall
}

/// Measures one run of one side.
final class Stopwatch {
  /// Times in milliseconds for doing the work once, and memory in MB beyond what was held before.
  struct Reading {
    var processor: Double
    var wall: Double
    var memory: Double

    subscript(figure: Figure) -> Double {
      switch figure {
      case .processor: processor
      case .wall: wall
      }
    }
  }

  private let repeats: Int
  private(set) var reading: Reading?

  init(repeats: Int) { self.repeats = repeats }

  /// Measures `work`; what it returns for the last time goes on to the caller, so that taking it
  /// apart is not measured.
  func measure<Value>(_ work: () throws -> Value) rethrows -> Value {
    // What the other side has freed must not be memory that this side gets for nothing.
    floor_trim()
    Memory.resetPeak()
    let held = Memory.heldMB()
    let clock = ContinuousClock()
    let began = clock.now
    let processor = ProcessorTime.microseconds()
    for _ in 0..<max(0, repeats - 1) { _ = try work() }
    let value = try work()
    let worked = ProcessorTime.microseconds() - processor
    let waited = (clock.now - began) / .milliseconds(1)
    reading = Reading(
      processor: worked / 1000 / Double(repeats), wall: waited / Double(repeats),
      memory: max(0, Memory.peakMB() - held))
    return value
  }
}

/// A side that never let the stopwatch measure.
struct NothingMeasured: Error, CustomStringConvertible {
  let row: String

  var description: String { "\(row): a side measured nothing" }
}

extension Runner {
  /// How many runs of heavy work a figure is the median of.
  static let heavyRunCount = 5

  /// Measures ours and the floor in turn, and adds the row.
  func alternate<Bench>(_ row: HeavyRow<Bench>, on bench: Bench) throws {
    guard wants(row.name) else { return }
    report.began(row.name)
    try row.prepare(bench)
    var ours: [HeavyRun] = []
    var floor: [HeavyRun] = []
    for number in 0..<Self.heavyRunCount {
      // Whoever comes second may find the machine warmer or the disk busier: each does it in turn.
      let isFloorFirst = number % 2 == 1
      if isFloorFirst, let side = row.floor { floor.append(try run(side, of: row, on: bench)) }
      ours.append(try run(row.ours, of: row, on: bench))
      if !isFloorFirst, let side = row.floor { floor.append(try run(side, of: row, on: bench)) }
      report.advanced()
    }
    let our = ours.map(\.reading)
    let figure = median(our.map { $0[row.figure] })
    let floorFigure = row.floor.map { _ in median(floor.map { $0.reading[row.figure] }) }
    let results = Set((ours + floor).map(\.result))
    add(
      Row(
        name: row.name, unit: "ms", ours: figure, floor: floorFigure, target: row.target,
        peakMemoryMB: our.map(\.memory).max() ?? 0,
        note: note(for: row, items: row.items(bench), our, floor.map(\.reading))
          + (results.count > 1 ? "; THE SIDES SAW DIFFERENT THINGS: \(results.sorted())" : ""),
        isRight: results.count == 1
          && median(our.map(\.wall)) <= row.millisecondsMax ?? .infinity))
  }

  private func run<Bench>(
    _ side: HeavyRow<Bench>.Side, of row: HeavyRow<Bench>, on bench: Bench
  ) throws -> HeavyRun {
    let stopwatch = Stopwatch(repeats: row.repeats)
    let result = try side(bench, stopwatch)
    guard let reading = stopwatch.reading else { throw NothingMeasured(row: row.name) }
    return HeavyRun(reading: reading, result: result)
  }

  /// What the figures are about, how fast that is, and the other figure.
  private func note<Bench>(
    for row: HeavyRow<Bench>, items: Int, _ ours: [Stopwatch.Reading], _ floor: [Stopwatch.Reading]
  ) -> String {
    let other = row.figure == .processor ? Figure.wall : .processor
    func perSecond(_ readings: [Stopwatch.Reading]) -> String {
      "\(Int(Double(items) / median(readings.map { $0[row.figure] }))) k/s"
    }
    func text(_ readings: [Stopwatch.Reading]) -> String {
      "\((median(readings.map { $0[other] }) * 10).rounded() / 10)"
    }
    var parts = ["\(items)", "\(row.figure) time", perSecond(ours)]
    if !floor.isEmpty { parts[2] += ", floor \(perSecond(floor))" }
    parts.append("\(other) \(text(ours))" + (floor.isEmpty ? "" : " and \(text(floor))") + " ms")
    if let limit = row.millisecondsMax { parts.append("at most \(limit) ms wall") }
    if !row.note.isEmpty { parts.append(row.note) }
    return parts.joined(separator: "; ")
  }
}

/// One run of one side.
private struct HeavyRun {
  var reading: Stopwatch.Reading
  var result: Int64
}
