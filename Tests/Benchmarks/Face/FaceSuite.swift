import Contrail
import StoreFloors

/// What models cost: their properties beside those of `@Observable` classes, and the store's work through
/// containers and contexts beside the same SQL from C.
enum FaceSuite {
  static func run(_ runner: Runner) throws {
    try PropertyRows.run(runner, Gauges())
    let bench = try Workbench(runner)
    for row in rows { try runner.alternate(row, on: bench) }
  }

  private static var rows: [HeavyRow<Workbench>] {
    [
      HeavyRow(
        name: "insert models, history on", target: 1.6,
        note: "making the models included; \(FaceWork.saveCount) in a save", items: \.rowCount,
        ours: FaceWork.insert, floor: Floors.insert),
      HeavyRow(
        name: "fetch models", target: 2.5, items: \.rowCount, prepare: FaceWork.fill,
        ours: FaceWork.fetch, floor: Floors.fetch),
      HeavyRow(
        name: "release the fetched models", items: \.rowCount, prepare: FaceWork.fill,
        ours: FaceWork.release, floor: Floors.release),
      HeavyRow(
        name: "identifiers of models", target: 1.3, repeats: StoreSuite.readRepeats,
        items: \.rowCount, prepare: FaceWork.fill, ours: FaceWork.identifiers,
        floor: Floors.identifiers),
      HeavyRow(
        name: "count of models", target: 1.3, repeats: StoreSuite.readRepeats, items: \.rowCount,
        prepare: FaceWork.fill, ours: FaceWork.count { _ in nil },
        floor: Floors.count(FLOOR_SQL_COUNT)),
      HeavyRow(
        name: "count of half, by an indexed property", target: 1.3,
        repeats: StoreSuite.readRepeats, items: \.rowCount, prepare: FaceWork.fill,
        ours: FaceWork.count { bench in
          let middle = Date(timeIntervalSinceReferenceDate: bench.middle)
          return #Predicate<FaceItem> { $0.created >= middle }
        },
        floor: Floors.count(FLOOR_SQL_COUNT_INDEXED, bound: \.middle)),
      HeavyRow(
        name: "count of half, by another property", target: 1.3, repeats: StoreSuite.readRepeats,
        items: \.rowCount, prepare: FaceWork.fill,
        ours: FaceWork.count { bench in
          let middle = Int(StoreSuite.middleRank(bench))
          return #Predicate<FaceItem> { $0.rank >= middle }
        },
        floor: Floors.count(FLOOR_SQL_COUNT_UNINDEXED, bound: StoreSuite.middleRank)),
      HeavyRow(
        name: "models by identifier, one read transaction", target: 2, items: \.rowCount,
        prepare: FaceWork.fill, ours: FaceWork.lookUps, floor: Floors.lookUps),
      HeavyRow(
        name: "models by identifier, one by one",
        note: "each in a read transaction of its own; the floor has one for all",
        items: \.rowCount, prepare: FaceWork.fill, ours: FaceWork.singleLookUps,
        floor: Floors.lookUps),
      HeavyRow(
        name: "one-model transactions, history on", target: 1.5,
        note: "WAL, NORMAL; author and process noted down", items: \.transactionCount,
        ours: FaceWork.singleTransactions, floor: Floors.singleTransactions),
    ]
  }
}
