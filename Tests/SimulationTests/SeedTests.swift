import Testing

@testable import simulate

@Suite struct SeedTests {
  @Test(arguments: UInt64(1)...12)
  func `a seed runs clean`(seed: UInt64) async {
    let run = await SeedRun.run(seed)
    #expect(run.failure == nil, "simulate --seed \(seed) --trace")
  }

  @Test func `the same seed is the same run, another one is not`() async {
    let first = await SeedRun.run(7)
    let second = await SeedRun.run(7)
    let other = await SeedRun.run(8)
    #expect(first.hash == second.hash)
    #expect(first.events == second.events)
    #expect(first.hash != other.hash)
  }

  @Test func `keeping the lines of a trace changes nothing`() async {
    let quiet = await SeedRun.run(3)
    let told = await SeedRun.run(3, keepsTrace: true)
    #expect(quiet.hash == told.hash)
    #expect(quiet.lines.isEmpty)
    #expect(told.lines.count >= told.events)
  }
}
