import SyncClient

/// One seed's run, and what came of it.
struct SeedRun: Sendable {
  let seed: UInt64
  let failure: String?
  let hash: String
  let events: Int
  let lines: [String]

  /// Runs a seed's world.
  static func run(
    _ seed: UInt64, without: Set<Feature> = [], adding: Set<Feature> = [],
    sabotage: SyncSabotage = [], keepsTrace: Bool = false
  ) async -> SeedRun {
    let options = WorldOptions(seed: seed, without: without, adding: adding)
    var world: World?
    var failure: String?
    do {
      let made = try await World(options, sabotage: sabotage, keepsTrace: keepsTrace)
      world = made
      try await made.live()
    } catch {
      failure = "\(error)"
    }
    return SeedRun(
      seed: seed, failure: failure, hash: world?.trace.hash ?? "", events: world?.trace.count ?? 0,
      lines: world?.trace.lines ?? [])
  }
}
