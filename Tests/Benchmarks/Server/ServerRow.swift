/// What one run of one side came to.
struct ServerReading {
  /// Microseconds for each item: what processors worked for the server, and what the client waited.
  var processor: Double
  var wall: Double
  /// What came back, so that a side that skips work is found out.
  var result: Int64

  subscript(figure: Figure) -> Double { figure == .processor ? processor : wall }
}

/// A row about work that a server does for clients.
struct ServerRow {
  /// One side; takes the number of the run.
  typealias Side = (Int) throws -> ServerReading

  let name: String
  /// What is counted: requests, records.
  let item: String
  var target: Double?
  var figure = Figure.processor
  /// How many bytes each item has, where throughput is of interest.
  var bytesEach: Double?
  var note: String
  /// How many runs the figure is the median of.
  var runCount = Runner.serverRunCount
  let ours: Side
  var floor: Side?
}

extension Runner {
  /// How many runs a figure of the server is the median of.
  static let serverRunCount = 5

  /// Measures a server and its floor in turn, and adds the row.
  func alternate(_ row: ServerRow, peakMB: () -> Double) throws {
    guard wants(row.name) else { return }
    report.began(row.name)
    var (ours, floor): ([ServerReading], [ServerReading]) = ([], [])
    for number in 0..<row.runCount {
      let isFloorFirst = number % 2 == 1
      if isFloorFirst, let side = row.floor { floor.append(try side(number)) }
      ours.append(try row.ours(number))
      if !isFloorFirst, let side = row.floor { floor.append(try side(number)) }
      report.advanced()
    }
    let results = Set((ours + floor).map(\.result))
    add(
      Row(
        name: row.name, unit: "µs", ours: median(ours.map { $0[row.figure] }),
        floor: row.floor.map { _ in median(floor.map { $0[row.figure] }) }, target: row.target,
        peakMemoryMB: peakMB(),
        note: note(of: row, ours, floor)
          + (results.count > 1 ? "; THE SIDES SAW DIFFERENT THINGS: \(results.sorted())" : ""),
        isRight: results.count == 1))
  }

  private func note(
    of row: ServerRow, _ ours: [ServerReading], _ floor: [ServerReading]
  ) -> String {
    let other = row.figure == .processor ? Figure.wall : .processor
    func both(_ text: ([ServerReading]) -> String) -> String {
      floor.isEmpty ? text(ours) : "\(text(ours)), floor \(text(floor))"
    }
    let wall = { (readings: [ServerReading]) in self.median(readings.map(\.wall)) }
    var parts = ["\(row.figure) time for each of \(row.item)"]
    parts.append(both { "\(Int(1e6 / wall($0))) \(row.item)/s" })
    if let bytes = row.bytesEach { parts.append(both { "\(Int(bytes / wall($0))) MB/s" }) }
    parts.append(
      "\(other) " + both { "\((median($0.map { $0[other] }) * 10).rounded() / 10)" } + " µs")
    return (parts + [row.note]).joined(separator: "; ")
  }
}

extension ServerReading {
  /// Measures what `work` makes a process do for it.
  static func of(
    _ process: ChildProcess, items: Int, _ work: () throws -> Int64
  ) rethrows -> ServerReading {
    let (worked, began) = (process.processorMicroseconds, ContinuousClock.now)
    let result = try work()
    let waited = (ContinuousClock.now - began) / .microseconds(1)
    let processor = process.processorMicroseconds - worked
    return ServerReading(
      processor: processor / Double(items), wall: waited / Double(items), result: result)
  }

  /// Measures work that this process does itself.
  static func here(items: Int, _ work: () throws -> Int64) rethrows -> ServerReading {
    let (worked, began) = (ProcessorTime.microseconds(), ContinuousClock.now)
    let result = try work()
    let waited = (ContinuousClock.now - began) / .microseconds(1)
    let processor = ProcessorTime.microseconds() - worked
    return ServerReading(
      processor: processor / Double(items), wall: waited / Double(items), result: result)
  }
}
