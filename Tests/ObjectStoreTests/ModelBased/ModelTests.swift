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

  /// How many seeds are tried with each kind of file, which is written anew or synced at each save.
  static let fileSeeds: ClosedRange<UInt64> = 1...12

  @Test(arguments: [StoreKind.sqlite, .binary, .xml])
  func `a store of any kind shows what the model shows, and again once it is opened anew`(
    kind: StoreKind
  ) throws {
    let folder = try TemporaryFolder()
    for seed in Self.fileSeeds {
      var random = Seeded(seed)
      let steps = ModelStep.random(Self.stepCount, &random)
      let location = Store.Location(kind, path: folder.file("store-\(seed)"))
      if let failure = ModelRun.replay(steps, at: location) {
        Issue.record("seed \(seed), step \(failure.at): \(failure.what)")
        return
      }
      let again = try Store(at: location, schema: Zoo.schema)
      #expect(try again.verifyHistory().problems.isEmpty, "seed \(seed)")
    }
  }
}
