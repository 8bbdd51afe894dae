/// Measures pieces of work, ours and the floor in turn, and takes medians.
final class Runner {
  /// How many runs a figure is the median of.
  static let runCount = 11
  /// How long one run lasts at least; work that is shorter is repeated within the run.
  static let runMillisecondsMin = 10.0

  let isQuick: Bool
  /// What the names of the rows contain that are measured; nil for every row.
  private let only: String?
  let report: Report
  private(set) var rows: [Row] = []

  init(isQuick: Bool, only: String? = nil, report: Report) {
    self.isQuick = isQuick
    self.only = only
    self.report = report
  }

  /// Whether the row with this name is to be measured.
  func wants(_ name: String) -> Bool { only.map(name.contains) ?? true }

  /// A size for this run: all of `full`, or a tenth.
  func size(_ full: Int) -> Int { isQuick ? max(1, full / 10) : full }

  /// Compares `ours` with `floor`, both doing the same work; reports µs of processor time for one
  /// time, which other programs on the machine change less than they change the time on the wall.
  ///
  /// `unit` is another where the work is done many times within one call: µs for a thousand are ns for
  /// one. Without a target the row only informs.
  func compare(
    _ name: String, target: Double?, unit: String = "µs", note: String, ours: () throws -> Void,
    floor: () throws -> Void
  ) throws {
    guard wants(name) else { return }
    report.began(name)
    let ourRepeats = try repeats(ours)
    let floorRepeats = try repeats(floor)
    var ourTimes: [Double] = []
    var floorTimes: [Double] = []
    var peak = 0.0
    for _ in 0..<Self.runCount {
      Memory.resetPeak()
      ourTimes.append(try microseconds(ourRepeats, ours))
      peak = max(peak, Memory.peakMB())
      floorTimes.append(try microseconds(floorRepeats, floor))
      report.advanced()
    }
    add(
      Row(
        name: name, unit: unit, ours: median(ourTimes), floor: median(floorTimes), target: target,
        peakMemoryMB: peak, note: note))
  }

  /// Measures `work`, which goes over `bytes` bytes, in MB/s; there is no target.
  func throughput(_ name: String, bytes: Int, note: String, work: () throws -> Void) throws {
    guard wants(name) else { return }
    report.began(name)
    let repeats = try repeats(work)
    Memory.resetPeak()
    var times: [Double] = []
    for _ in 0..<Self.runCount {
      times.append(try microseconds(repeats, work))
      report.advanced()
    }
    add(
      Row(
        name: name, unit: "MB/s", ours: Double(bytes) / median(times), floor: nil, target: nil,
        peakMemoryMB: Memory.peakMB(), note: note))
  }

  func add(_ row: Row) {
    rows.append(row)
    report.ended(row)
  }

  /// How often `work` must be done to last long enough; also warms up.
  private func repeats(_ work: () throws -> Void) throws -> Int {
    let once = max(try microseconds(3, work), 0.01)
    return max(1, Int(Self.runMillisecondsMin * 1000 / once))
  }

  private func microseconds(_ repeats: Int, _ work: () throws -> Void) rethrows -> Double {
    let began = ProcessorTime.microseconds()
    for _ in 0..<repeats { try work() }
    return (ProcessorTime.microseconds() - began) / Double(repeats)
  }

  func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}

/// Hides `value` from the optimiser, so that making it counts as work.
@inline(never)
func keep<Value>(_ value: consuming Value) {}
