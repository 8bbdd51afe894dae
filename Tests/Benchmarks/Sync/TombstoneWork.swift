import RecordWire
import SyncClient
import Synchronization

/// A first pull beside records that were deleted: nobody has to read them.
enum TombstoneWork {
  /// How many records are pulled.
  private static let liveMax = 10_000
  private static let bytesRatioMax = 1.05
  /// SQLite's page, when nobody asks for another.
  private static let pageBytes = 4096.0

  static func run(_ runner: Runner, _ bench: SyncBench) throws {
    let (live, dead) = (runner.size(liveMax), bench.recordCount)
    let name = "first pull of \(live) records beside \(dead) tombstones"
    guard runner.wants(name) else { return }
    let (with, without) = (Zone(bench), Zone(bench))
    try with.make(bench, live: live, dead: dead)
    try without.make(bench, live: live, dead: 0)
    try runner.alternate(
      SyncRow(
        name: name, target: 1.2, runs: Runner.syncRunCount,
        note: "the floor is the same without tombstones",
        ours: { _ in try with.pull(bench) }, floor: { _ in try without.pull(bench) }))
    let totals = (with.totals, without.totals)
    let entries = (try with.entries(bench), try without.entries(bench))
    runner.add(
      Row(
        name: "  bytes of its answers", unit: "kB", ours: Double(totals.0.bytesReceived) / 1000,
        floor: Double(totals.1.bytesReceived) / 1000, target: bytesRatioMax, peakMemoryMB: 0,
        note: "in \(totals.0.requests) and \(totals.1.requests) requests"))
    runner.add(
      Row(
        name: "  rows of its answers", unit: "rows", ours: Double(entries.0),
        floor: Double(entries.1), target: bytesRatioMax, peakMemoryMB: 0,
        note: "records and tombstones in its pages", isRight: entries.1 == live))
    runner.add(
      Row(
        name: "  pages that the server reads", unit: "pages", ours: with.pagesRead,
        floor: without.pagesRead, target: bytesRatioMax, peakMemoryMB: 0,
        note: "from its file, beside those that it has in memory; the median of the runs"))
  }

  /// A zone with records and tombstones.
  private final class Zone {
    private let identity: ZoneIdentity
    private(set) var totals = CountingTransport.Totals()
    private var reads: [Double] = []

    init(_ bench: SyncBench) { identity = bench.freshZone() }

    /// How many pages the server read for a pull: whole ones, since what wakes its threads is a read
    /// of a few bytes.
    var pagesRead: Double {
      (reads.sorted()[reads.count / 2] / TombstoneWork.pageBytes).rounded(.down)
    }

    /// Makes the tombstones, half of them before the records and half of them among them.
    func make(_ bench: SyncBench, live: Int, dead: Int) throws {
      let server = try bench.server.get()
      let path = server.path("private", "zones/modify")
      let request = ZoneModifyRequest(operations: [.init(.create, identity)])
      _ = try Requests.ask(server, Requests.post(path, try request.json()))
      try modify(server, 0..<dead, .create)
      try modify(server, 0..<dead / 2, .forceDelete)
      try modify(server, dead..<dead + live, .create)
      try modify(server, dead / 2..<dead, .forceDelete)
    }

    private func modify(
      _ server: RecordServerProcess, _ numbers: Range<Int>, _ kind: RecordOperation.Kind
    ) throws {
      let path = server.path("private", "records/modify")
      let most = 10_000
      for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: most) {
        let part = start..<min(start + most, numbers.upperBound)
        let bodies = try stride(from: part.lowerBound, to: part.upperBound, by: ServerRecords.batch)
          .map { first in
            let numbers = first..<min(first + ServerRecords.batch, part.upperBound)
            let operations = numbers.map { RecordOperation(kind, Self.record($0, kind)) }
            return try ModifyRequest(operations: operations, zone: identity).json()
          }
        _ = try Requests(bodies.map { Requests.post(path, $0) }).play(to: server.port)
      }
    }

    private static func record(_ number: Int, _ kind: RecordOperation.Kind) -> Record {
      var record = Record(recordName: ServerRecords.name(number), recordType: "Item")
      if kind.isDeletion { return record }
      record.content = .fields(
        RecordFields([
          ("title", RecordField(.string("Record number \(number)"))),
          ("count", RecordField(.int64(Int64(number)))),
        ]))
      return record
    }

    func pull(_ bench: SyncBench) throws -> SyncReading {
      try bench.withFreshFile { path in
        let process = try bench.server.get().process
        let read = process.bytesRead
        var totals = CountingTransport.Totals()
        let reading = try SyncReading.of(process) {
          let (summary, traffic) = try bench.sync(StoreWork.open(path), identity)
          totals = traffic.totals
          return Int64(summary.pulled)
        }
        reads.append(process.bytesRead - read)
        self.totals = totals
        return reading
      }
    }

    /// How many entries the pages of a first pull have.
    func entries(_ bench: SyncBench) throws -> Int {
      try bench.withFreshFile { path in
        let (engine, traffic) = try bench.engine(StoreWork.open(path), identity)
        let count = Count()
        traffic.keepPages { body in
          guard case .page(_, let page)? = (try? ZoneChangesResponse(json: body))?.zones.first
          else { return }
          count.value.withLock { $0 += page.records.count }
        }
        try bench.sync(engine)
        return count.value.withLock { $0 }
      }
    }
  }
}

/// A number that another thread adds to.
private final class Count: Sendable {
  let value = Mutex(0)
}
