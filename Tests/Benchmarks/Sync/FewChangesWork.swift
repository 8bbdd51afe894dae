import DataModel
import ObjectStore
import SyncClient

/// What a few edits cost: they must not cost more because the store is large.
enum FewChangesWork {
  private static let edits = 10
  /// How many passes one run has, for a single one is short.
  private static let passes = 5

  static func run(_ runner: Runner, _ bench: SyncBench) throws {
    let name = "sync of \(edits) changes"
    guard runner.wants(name) else { return }
    let (large, small) = (
      try bench.mirror(bench.recordCount), try bench.mirror(SyncBench.smallCount)
    )
    try runner.alternate(
      SyncRow(
        name: name, target: 1.5, runs: Runner.syncRunCount,
        note: "in a store of \(bench.recordCount); the floor is the same in a store of "
          + "\(SyncBench.smallCount); \(passes) passes, each with an engine of its own",
        ours: { number in try work(bench, large, number) },
        floor: { number in try work(bench, small, number) }))
  }

  private static func work(
    _ bench: SyncBench, _ mirror: SyncBench.Mirror, _ run: Int
  ) throws -> SyncReading {
    let store = try StoreWork.open(mirror.path)
    var sum = SyncReading()
    for pass in 0..<passes {
      try edit(store, run * passes + pass)
      let one = try SyncReading.of(try bench.server.get().process) {
        Int64(try bench.sync(store, mirror.zone).0.pushed)
      }
      sum.wall += one.wall / Double(passes)
      sum.processor += one.processor / Double(passes)
      sum.clientMB = max(sum.clientMB, one.clientMB)
      sum.serverMB = max(sum.serverMB, one.serverMB)
      sum.result += one.result
    }
    return sum
  }

  /// Gives ten objects, which are not neighbours, another count.
  private static func edit(_ store: Store, _ round: Int) throws {
    let context = ModelContext(store)
    for number in 0..<edits {
      let key = Int64(1 + number * (SyncBench.smallCount / edits) + round % edits)
      let identity = ObjectIdentity(store: store.identifier, entity: "Item", key: key)
      guard let object = context.object(identity) else { continue }
      context.model(of: object, as: ItemModel.self).count = Int64(1_000_000_000 + round)
    }
    try context.save()
  }
}
