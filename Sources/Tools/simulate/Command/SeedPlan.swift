import CommandKit
import FoundationEssentials
import SyncClient

/// Which seeds to run, and how.
struct SeedPlan: Sendable {
  var seeds: [UInt64]
  var without: Set<Feature> = []
  /// What every world has.
  var adding: Set<Feature> = []
  var sabotage: SyncSabotage = []
  var showsTrace = false
  /// How many worlds run at a time.
  var jobs = 1

  init(_ call: Invocation) throws {
    seeds = try Self.seeds(call)
    showsTrace = call.has("trace")
    jobs = try Self.jobs(call)
    if let plant = call.value("plant").flatMap(Plant.named) {
      (sabotage, adding) = (plant.sabotage, plant.features)
    }
    without.formUnion(try Self.features(call.values("without")))
    adding.formUnion(try Self.features(call.values("with")))
    without.subtract(adding)
  }

  private static func jobs(_ call: Invocation) throws -> Int {
    guard let text = call.value("jobs") else {
      return max(1, ProcessInfo.processInfo.activeProcessorCount)
    }
    guard let count = Int(text), 1...jobsMax ~= count else {
      throw UsageError("\"\(text)\" is no number of worlds", fix: "a number from 1 to \(jobsMax)")
    }
    return count
  }

  /// The most worlds that run at a time.
  private static let jobsMax = 256

  private static func features(_ words: [String]) throws -> [Feature] {
    try words.map { word in
      guard let feature = Feature(rawValue: word) else {
        throw UsageError(
          "there is no feature \"\(word)\"",
          fix: "one of \(Feature.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return feature
    }
  }

  private static func seeds(_ call: Invocation) throws -> [UInt64] {
    if let text = call.value("seed"), let seed = UInt64(text) { return [seed] }
    if let text = call.value("seeds"), let range = range(text) { return Array(range) }
    if let text = call.value("fresh"), let count = Int(text), 1...maximum ~= count {
      var system = SystemRandomNumberGenerator()
      return (0..<count).map { _ in system.next() }
    }
    throw UsageError(
      "it is not said which seeds to run", fix: "give --seed N, --seeds A...B or --fresh N")
  }

  /// The most seeds of one call.
  private static let maximum = 10_000_000

  private static func range(_ text: String) -> ClosedRange<UInt64>? {
    guard let dots = text.firstRange(of: "..."), let first = UInt64(text[..<dots.lowerBound]),
      let last = UInt64(text[dots.upperBound...]), first <= last, last - first < UInt64(maximum)
    else { return nil }
    return first...last
  }

  /// Runs the seeds, several at a time, and tells what came of each in their order.
  func run(_ console: Console) async -> Totals {
    await withTaskGroup(of: (place: Int, run: SeedRun).self) { group in
      var totals = Totals()
      var early: [Int: SeedRun] = [:]
      var started = min(jobs, seeds.count)
      for place in 0..<started { group.addTask { await run(at: place) } }
      for await (place, run) in group {
        early[place] = run
        if started < seeds.count {
          group.addTask { [started] in await self.run(at: started) }
          started += 1
        }
        while let next = early.removeValue(forKey: totals.runs) {
          tell(next, console)
          totals.add(next)
          console.showProgress("\(totals.runs) of \(seeds.count), \(totals.failed) failed")
        }
      }
      console.showProgress("")
      return totals
    }
  }

  private func run(at place: Int) async -> (place: Int, run: SeedRun) {
    let run = await SeedRun.run(
      seeds[place], without: without, adding: adding, sabotage: sabotage, keepsTrace: showsTrace)
    return (place, run)
  }

  private func tell(_ run: SeedRun, _ console: Console) {
    for line in run.lines { console.writeText(line + "\n") }
    if let failure = run.failure { console.writeText("seed \(run.seed): \(failure)\n") }
    if showsTrace { console.write("hash \(run.hash)\n") }
  }
}

/// What came of all seeds.
struct Totals: Sendable {
  private(set) var runs = 0
  private(set) var failed = 0
  private(set) var events = 0

  mutating func add(_ run: SeedRun) {
    runs += 1
    events += run.events
    if run.failure != nil { failed += 1 }
  }

  /// All of it in one line.
  var line: String {
    "totals: \(runs - failed) seeds passed, \(failed) failed, \(events) events"
  }
}
