import CommandKit
import SyncClient
import SyncCore

/// Proving that a store and its server are equal.
enum VerifyWork {
  static let recordsMax = 100_000
  /// What it may take.
  static let millisecondsMax = 1_000.0
  static let bytesMax = 10_000

  static func run(_ runner: Runner, _ bench: SyncBench) throws {
    let count = runner.size(recordsMax)
    let name = "verify of \(count) equal records"
    guard runner.wants(name) else { return }
    runner.report.began(name)
    let mirror = try bench.mirror(count)
    let store = try StoreWork.open(mirror.path)
    var (readings, bytes, requests): ([SyncReading], Int, Int) = ([], 0, 0)
    for _ in 0..<Runner.syncRunCount {
      let (engine, traffic) = try bench.engine(store, mirror.zone)
      readings.append(
        try SyncReading.of(try bench.server.get().process) {
          let found = try Blocking.run { () async -> Result<SyncVerification, any Error> in
            do { return .success(try await engine.verify()) } catch { return .failure(error) }
          }.get()
          return found.differenceCount == 0 && found.outcome == .complete
            ? Int64(found.records) : -1
        })
      (bytes, requests) = (
        traffic.totals.bytesSent + traffic.totals.bytesReceived, traffic.totals.requests
      )
      runner.report.advanced()
    }
    let time = runner.median(readings.map(\.wall))
    runner.add(
      Row(
        name: name, unit: "ms", ours: time, floor: nil, target: nil,
        peakMemoryMB: readings.map(\.clientMB).max() ?? 0,
        note:
          "at most \(Int(millisecondsMax)) ms and \(bytesMax) bytes for \(recordsMax); \(bytes) "
          + "bytes in \(requests) requests; objects compared too",
        isRight: readings.allSatisfy { $0.result == Int64(count) } && bytes <= bytesMax
          && time <= millisecondsMax))
  }
}
