import CommandKit
import Synchronization
import Testing

@testable import simulate

@Suite struct SeedTests {
  @Test(arguments: UInt64(1)...12)
  func `a seed runs clean`(seed: UInt64) async {
    let run = await SeedRun.run(seed)
    #expect(run.failure == nil, "simulate --seed \(seed) --trace")
  }

  /// Worlds that showed a defect once, each another one; what it was stands in the tests of the part that had it.
  static let found: [UInt64] = [
    600_390, 600_765, 604_519, 605_181, 654_676, 664_336, 670_133, 700_065, 704_786, 1_004_535,
    1_012_518, 1_016_279, 1_016_837, 1_019_627, 1_022_158, 1_027_832, 1_031_244, 1_036_905,
    1_049_050, 1_060_245, 1_200_923,
  ]

  /// What did not exist yet then.
  static let later: Set<Feature> = [.laterRecords, .coreData, .choices]

  @Test(arguments: found)
  func `a seed that found a defect runs clean`(seed: UInt64) async {
    let run = await SeedRun.run(seed, without: Self.later)
    #expect(run.failure == nil, "simulate --seed \(seed) --trace")
  }

  /// The same, of worlds as they were then.
  static let foundSince: [UInt64] = [
    1_409_624, 1_501_964, 1_712_211, 1_839_284, 1_901_423, 2_104_839, 2_210_697, 2_211_394,
    2_406_452, 2_504_810, 2_608_755, 4_006_340, 7_000_027,
    7_013_930, 7_053_369, 8_317_321,
  ]

  @Test(arguments: foundSince)
  func `a seed that found a defect of late runs clean`(seed: UInt64) async {
    let run = await SeedRun.run(seed, without: [.choices])
    #expect(run.failure == nil, "simulate --seed \(seed) --without choices --trace")
  }

  /// Worlds in which somebody gives up a deletion, and misses an object where that does not bring it back; and such
  /// that showed what else went wrong with failed changes.
  static let chosen: [UInt64] = [
    230, 265, 343, 539, 597, 8_804_560, 8_804_698, 8_809_624, 8_818_092, 8_819_440, 8_927_763,
    9_016_785, 9_018_866, 9_403_692, 9_536_086,
    11_465_421_585_493_819_595,
  ]

  @Test(arguments: chosen)
  func `what somebody does about failed changes leaves all the same`(seed: UInt64) async {
    let run = await SeedRun.run(seed, adding: [.choices])
    #expect(run.failure == nil, "simulate --seed \(seed) --with choices --trace")
  }

  @Test func `the same seed is the same run, another one is not`() async {
    let first = await SeedRun.run(7)
    let second = await SeedRun.run(7)
    let other = await SeedRun.run(8)
    #expect(first.hash == second.hash)
    #expect(first.events == second.events)
    #expect(first.hash != other.hash)
  }

  @Test func `worlds that run beside each other print what they print one by one`() async throws {
    let oneByOne = try await output(jobs: 1)
    let together = try await output(jobs: 3)
    #expect(oneByOne.contains("totals: 6 seeds passed, 0 failed"))
    #expect(oneByOne.filter { $0 == "\n" }.count > 500)
    #expect(together == oneByOne)
  }

  /// What running six worlds prints.
  private func output(jobs: Int) async throws -> String {
    let written = Mutex("")
    let console = Console(
      write: { text in written.withLock { $0 += text } }, writeError: { _ in }, isColourful: false)
    let options = ["seeds": ["1...6"], "trace": [], "jobs": ["\(jobs)"]]
    let plan = try SeedPlan(Invocation(arguments: [], options: options, console: console))
    let totals = await plan.run(console)
    return written.withLock { $0 } + totals.line
  }

  @Test func `keeping the lines of a trace changes nothing`() async {
    let quiet = await SeedRun.run(3)
    let told = await SeedRun.run(3, keepsTrace: true)
    #expect(quiet.hash == told.hash)
    #expect(quiet.lines.isEmpty)
    #expect(told.lines.count >= told.events)
  }
}
