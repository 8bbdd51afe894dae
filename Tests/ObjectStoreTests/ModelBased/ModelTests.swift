import Foundation
import Testing

@testable import ObjectStore

@Suite struct ModelTests {
  /// How many seeds are tried, each with how many steps; more by CONTRAIL_MODEL_SEEDS=FIRST-LAST.
  static let seeds: ClosedRange<UInt64> = {
    let text = ProcessInfo.processInfo.environment["CONTRAIL_MODEL_SEEDS"] ?? ""
    let bounds = text.split(separator: "-").compactMap { UInt64($0) }
    return bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]...bounds[1] : 1...300
  }()
  static let stepCount = 60
  /// After how many failing seeds the search ends.
  static let failuresMax = 3

  @Test func `a store and its contexts show what a plain model of them shows`() {
    var failures = 0
    for seed in Self.seeds {
      var random = Seeded(seed)
      let steps = ModelStep.random(Self.stepCount, &random)
      guard ModelRun.replay(steps) != nil else { continue }
      let fewest = ModelRun.shrunk(steps)
      Issue.record("seed \(seed), \(fewest.count) steps:\n\(ModelRun.story(fewest))")
      failures += 1
      if failures == Self.failuresMax { return }
    }
  }
}
