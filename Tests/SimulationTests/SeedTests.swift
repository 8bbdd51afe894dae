import Testing

@testable import simulate

@Suite struct SeedTests {
  @Test(arguments: UInt64(1)...20)
  func `a seed runs clean`(seed: UInt64) async {
    let run = await SeedRun.run(seed)
    #expect(run.failure == nil, "simulate --seed \(seed) --trace")
  }

  @Test func `the same seed is the same run`() async {
    let first = await SeedRun.run(7)
    let second = await SeedRun.run(7)
    #expect(first.hash == second.hash)
    #expect(first.events == second.events)
  }
}
