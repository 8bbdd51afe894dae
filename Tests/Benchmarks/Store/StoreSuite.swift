import FoundationEssentials
import Foundation
import StoreFloors

/// The object store's work against the same SQL from C; DESIGN says what may cost how much more.
enum StoreSuite {
  /// How often short reading is repeated within a run.
  static let readRepeats = 20

  static func run(_ runner: Runner) throws {
    let bench = try Workbench(runner)
    for row in rows { try runner.alternate(row, on: bench) }
  }

  /// Every row; a new one is one line here and one function for our side.
  ///
  /// ```swift
  /// HeavyRow(
  ///   name: "fetch typed objects", target: 2.5, items: \.rowCount, prepare: StoreWork.fill,
  ///   ours: StoreWork.fetch, floor: Floors.fetch)
  /// ```
  private static var rows: [HeavyRow<Workbench>] { storeRows + driverRows }

  private static var storeRows: [HeavyRow<Workbench>] {
    [
      HeavyRow(
        name: "insert typed objects, history on", target: 1.6,
        note: "making the objects included; \(StoreWork.saveCount) in a save", items: \.rowCount,
        ours: StoreWork.insert, floor: Floors.insert),
      HeavyRow(
        name: "batch insert, history on", target: 1.3, note: "all in one batch, by slots",
        items: \.rowCount, ours: StoreWork.insertBatch, floor: Floors.insert),
      HeavyRow(
        name: "batch update, history on", note: "two attributes of every object",
        items: \.rowCount, prepare: StoreWork.fill, ours: StoreWork.updateBatch),
      HeavyRow(
        name: "batch delete, history on", note: "every object", items: \.rowCount,
        prepare: StoreWork.fill, ours: StoreWork.deleteBatch),
      HeavyRow(
        name: "fetch typed objects", target: 2.5, items: \.rowCount, prepare: StoreWork.fill,
        ours: StoreWork.fetch, floor: Floors.fetch),
      HeavyRow(
        name: "release the fetched objects", items: \.rowCount, prepare: StoreWork.fill,
        ours: StoreWork.release, floor: Floors.release),
      HeavyRow(
        name: "identifiers", target: 1.3, repeats: readRepeats, items: \.rowCount,
        prepare: StoreWork.fill, ours: StoreWork.identifiers, floor: Floors.identifiers),
      HeavyRow(
        name: "count", target: 1.3, repeats: readRepeats, items: \.rowCount,
        prepare: StoreWork.fill, ours: StoreWork.count { _ in nil },
        floor: Floors.count(FLOOR_SQL_COUNT)),
      HeavyRow(
        name: "count of half, by an indexed attribute", target: 1.3, repeats: readRepeats,
        items: \.rowCount, prepare: StoreWork.fill,
        ours: StoreWork.count { bench in
          let middle = Date(timeIntervalSinceReferenceDate: bench.middle)
          return #Predicate<ItemModel> { $0.created >= middle }
        },
        floor: Floors.count(FLOOR_SQL_COUNT_INDEXED, bound: \.middle)),
      HeavyRow(
        name: "count of half, by another attribute", target: 1.3, repeats: readRepeats,
        items: \.rowCount, prepare: StoreWork.fill,
        ours: StoreWork.count { bench in
          let middle = Int64(middleRank(bench))
          return #Predicate<ItemModel> { $0.rank >= middle }
        },
        floor: Floors.count(FLOOR_SQL_COUNT_UNINDEXED, bound: middleRank)),
      HeavyRow(
        name: "faults by identifier, one read transaction", target: 2, items: \.rowCount,
        prepare: StoreWork.fill, ours: StoreWork.lookUps, floor: Floors.lookUps),
      HeavyRow(
        name: "one-object transactions, history on", target: 1.5,
        note: "WAL, NORMAL; author and process noted down", items: \.transactionCount,
        ours: StoreWork.singleTransactions, floor: Floors.singleTransactions),
      HeavyRow(
        name: "add an attribute, floor with 1 k rows", target: 1.5, millisecondsMax: 100,
        note: "a migration, from opening the store to closing it", items: \.rowCount,
        prepare: {
          try StoreWork.fill($0)
          try StoreWork.fillSmall($0)
        },
        ours: StoreWork.addAttribute(to: StoreWork.file),
        floor: StoreWork.addAttribute(to: StoreWork.smallFile)),
    ]
  }

  /// What the driver alone costs; none has a target, since no user calls it.
  private static var driverRows: [HeavyRow<Workbench>] {
    [
      HeavyRow(
        name: "driver: insert in one transaction", note: "WAL, NORMAL; values made before",
        items: \.rowCount, ours: DriverWork.insert, floor: Floors.insert),
      HeavyRow(
        name: "driver: fetch objects", items: \.rowCount, prepare: Floors.fill,
        ours: DriverWork.fetch, floor: Floors.fetch),
      HeavyRow(
        name: "driver: release the fetched objects", items: \.rowCount, prepare: Floors.fill,
        ours: DriverWork.release, floor: Floors.release),
      HeavyRow(
        name: "driver: identifiers", repeats: readRepeats, items: \.rowCount,
        prepare: Floors.fill, ours: DriverWork.identifiers, floor: Floors.identifiers),
      HeavyRow(
        name: "driver: count", repeats: readRepeats, items: \.rowCount, prepare: Floors.fill,
        ours: DriverWork.count(FLOOR_SQL_COUNT), floor: Floors.count(FLOOR_SQL_COUNT)),
      HeavyRow(
        name: "driver: count of half, indexed", repeats: readRepeats, items: \.rowCount,
        prepare: Floors.fill,
        ours: DriverWork.count(FLOOR_SQL_COUNT_INDEXED, bound: \.middle),
        floor: Floors.count(FLOOR_SQL_COUNT_INDEXED, bound: \.middle)),
      HeavyRow(
        name: "driver: count of half, not indexed", items: \.rowCount, prepare: Floors.fill,
        ours: DriverWork.count(FLOOR_SQL_COUNT_UNINDEXED, bound: middleRank),
        floor: Floors.count(FLOOR_SQL_COUNT_UNINDEXED, bound: middleRank)),
      HeavyRow(
        name: "driver: look-ups in one read transaction", items: \.rowCount,
        prepare: Floors.fill, ours: DriverWork.lookUps, floor: Floors.lookUps),
      HeavyRow(
        name: "driver: one-object transactions", note: "WAL, NORMAL; 1 change, 1 transaction each",
        items: \.transactionCount, ours: DriverWork.singleTransactions,
        floor: Floors.singleTransactions),
      HeavyRow(
        name: "driver: add a column", note: "from opening the file to closing it",
        items: \.rowCount, prepare: Floors.fill,
        ours: DriverWork.addColumn(to: Floors.file), floor: Floors.addColumn(to: Floors.file)),
      HeavyRow(
        name: "driver: add a column, floor with 1 k rows", millisecondsMax: 100,
        items: \.rowCount,
        prepare: {
          try Floors.fill($0)
          try Floors.fillSmall($0)
        },
        ours: DriverWork.addColumn(to: Floors.file),
        floor: DriverWork.addColumn(to: Floors.smallFile)),
    ]
  }

  static func middleRank(_ bench: Workbench) -> Double { Double(FLOOR_RANKS) / 2 }
}
