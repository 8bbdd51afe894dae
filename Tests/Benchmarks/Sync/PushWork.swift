import Glibc
import RecordWire
import SyncClient

/// A first push of a whole store, from an engine that is new to it until everything is exchanged.
enum PushWork {
  /// How many records the floor writes together, as the engine does.
  private static let batch: Int64 = 1_000

  static func run(_ runner: Runner, _ bench: SyncBench) throws {
    let name = "push of all records"
    guard runner.wants(name) else { return }
    let server = try bench.server.get()
    let count = bench.recordCount
    let filled = try bench.filledStore(count)
    let floor = try Floor(bench, count)
    try runner.alternate(
      SyncRow(
        name: name, target: 2, megabytesMax: 150, runs: Runner.syncRunCount,
        note:
          "\(count) records of ten fields, without indexes at the server; both sides durable; the "
          + "floor is C that makes and reads the requests and writes what both sides keep, one after "
          + "the other in one thread",
        ours: { _ in
          try bench.withCopy(of: filled) { path in
            let zone = bench.freshZone()
            return try SyncReading.of(server.process) {
              Int64(try bench.sync(StoreWork.open(path), zone).0.pushed)
            }
          }
        },
        floor: { _ in try floor.run(bench) }))
  }

  /// What a push costs at least: its requests, and the rows that both sides write.
  private struct Floor {
    let mirror: SyncBench.Mirror
    let rows: ServerRows

    init(_ bench: SyncBench, _ count: Int) throws {
      mirror = try bench.mirror(count)
      rows = try ServerRows(
        at: bench.path("server-rows.sqlite"), from: try bench.server.get().recordsPath,
        zone: mirror.zone.name)
    }

    func run(_ bench: SyncBench) throws -> SyncReading {
      try bench.withFreshFile { clientPath in
        try bench.withFreshFile { serverPath in
          let requests = try RequestsFloor(from: mirror.path)
          let client = try RowsFloor(
            at: clientPath, from: mirror.path, isDurable: true, cacheKiB: ClientRows.cacheKiB,
            [ClientRows.record, ClientRows.base])
          let server = try RowsFloor(
            at: serverPath, from: rows.path, isDurable: true, cacheKiB: ServerRows.cacheKiB,
            ServerRows.tables)
          var watch = SyncStopwatch()
          for first in stride(from: Int64(1), through: rows.count, by: Int(batch)) {
            let numbers = first...min(rows.count, first + batch - 1)
            try requests.load(numbers)
            try client.load(numbers)
            try server.load(numbers)
            try watch.measure {
              try requests.makeAndParse()
              try server.save()
              try client.save()
            }
          }
          return watch.total(server.saved)
        }
      }
    }
  }
}
