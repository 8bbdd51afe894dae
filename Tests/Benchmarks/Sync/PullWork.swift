import FoundationEssentials
import Glibc
import RecordWire
import ServerFloors
import SyncClient
import Synchronization

/// A pull of a whole zone into a store that has nothing.
enum PullWork {
  static func run(_ runner: Runner, _ bench: SyncBench) throws {
    let name = "pull into an empty store"
    guard runner.wants(name) else { return }
    let server = try bench.server.get()
    let mirror = try bench.mirror(bench.recordCount)
    let floor = try Floor(bench, mirror)
    try runner.alternate(
      SyncRow(
        name: name, target: 2, megabytesMax: 150, runs: Runner.syncRunCount,
        note: "\(bench.recordCount) records, \(floor.pages.count) pages, "
          + "\(floor.bytes / bench.recordCount) bytes each; the floor is nginx with the same bytes as "
          + "files, and C that reads them as JSON and writes the same rows, with synchronous NORMAL",
        ours: { _ in
          try bench.withFreshFile { path in
            try SyncReading.of(server.process) {
              Int64(try bench.sync(StoreWork.open(path), mirror.zone).0.pulled)
            }
          }
        },
        floor: { _ in try floor.run(bench) }))
  }

  /// The pages of a pull as files, and the store that has taken them in.
  private final class Floor {
    /// How many records each page has.
    private(set) var pages: [Int64] = []
    private(set) var bytes = 0
    private let nginx: FileServer
    private let store: String

    init(_ bench: SyncBench, _ mirror: SyncBench.Mirror) throws {
      let folder = bench.path("nginx-sync")
      nginx = try FileServer(in: folder)
      store = bench.path("pulled.sqlite")
      let kept = Kept(folder: folder)
      let (engine, traffic) = try bench.engine(StoreWork.open(store), mirror.zone)
      traffic.keepPages { kept.keep($0) }
      try bench.sync(engine)
      (pages, bytes) = kept.totals
    }

    func run(_ bench: SyncBench) throws -> SyncReading {
      try bench.withFreshFile { path in
        let rows = try RowsFloor(
          at: path, from: store, isDurable: false, cacheKiB: ClientRows.cacheKiB,
          [ClientRows.object, ClientRows.record, ClientRows.base])
        var made: OpaquePointer?
        try FloorFailure.check(sync_reader_open(nginx.port, &made))
        guard let reader = made else { throw FloorFailure(code: ENOMEM) }
        defer { sync_reader_close(reader) }
        let requests = Requests(pages.indices.map { Requests.get("/files/\($0)") })
        // The list is good as long as what it is of.
        defer { withExtendedLifetime(requests) {} }
        var watch = SyncStopwatch()
        let served = nginx.process.processorMicroseconds
        var (next, received): (Int64, Int64) = (1, 0)
        for (page, request) in zip(pages, requests.list) where page > 0 {
          try rows.load(next...next + page - 1)
          next += page
          try watch.measure {
            try FloorFailure.check(sync_reader_ask(reader, request, &received))
            try rows.save()
          }
        }
        watch.add(processor: nginx.process.processorMicroseconds - served)
        return watch.total(rows.saved)
      }
    }
  }

  /// Keeps pages as files, and counts what is in them.
  private final class Kept: Sendable {
    private let folder: String
    private let counted = Mutex((pages: [Int64](), bytes: 0))

    init(folder: String) { self.folder = folder }

    var totals: ([Int64], Int) { counted.withLock { ($0.pages, $0.bytes) } }

    func keep(_ page: [UInt8]) {
      let answer = try? ZoneChangesResponse(json: page)
      var records = 0
      if case .page(_, let page)? = answer?.zones.first { records = page.records.count }
      counted.withLock { counted in
        try? Data(page).write(to: URL(filePath: "\(folder)/files/\(counted.pages.count)"))
        counted.pages.append(Int64(records))
        counted.bytes += page.count
      }
    }
  }
}
