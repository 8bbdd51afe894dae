import RecordWire
import ServerFloors

/// `records/modify` of new records, each answer after its commit is on the disk.
enum ModifyWork {
  static func run(_ runner: Runner, _ bench: ServerBench) throws {
    for connections in [1, 4] {
      let name = "modify, batches of \(ServerRecords.batch), \(connections) at a time"
      guard runner.wants(name) else { continue }
      try run(runner, bench, name, connections)
    }
  }

  private static func run(
    _ runner: Runner, _ bench: ServerBench, _ name: String, _ connections: Int
  ) throws {
    let (server, count) = (try bench.server.get(), bench.recordCount)
    let zone = try bench.filledZone()
    let bodies = try ServerRecords.saves(count, in: zone)
    let floor = try RecordsFloor(
      at: bench.path("floor-\(connections).sqlite"), from: server.recordsPath, zone: zone.name,
      Requests(bodies))
    try runner.alternate(
      ServerRow(
        name: name, item: "records", target: 2, figure: .wall,
        bytesEach: Double(bodies.reduce(0) { $0 + $1.count }) / Double(count),
        note:
          "\(count) new records; the floor is one thread of C that reads the same JSON and keeps "
          + "nothing, and writes the same rows into the same tables, with those of all indexes; both WAL, FULL",
        ours: { _ in
          let requests = try bench.saves(ServerRecords.saves(count, in: try bench.freshZone()))
          return try .of(server.process, items: count) {
            _ = try requests.play(to: server.port, connections: connections)
            return Int64(count)
          }
        },
        floor: { number in try .here(items: count) { try floor.save(zone: Int64(number)) } }),
      peakMB: { server.process.peakMB })
  }
}

/// The rows of a server's zone and a file to write them into.
final class RecordsFloor {
  private let records: OpaquePointer
  private let bodies: Requests

  init(at path: String, from server: String, zone: String, _ bodies: Requests) throws {
    var made: OpaquePointer?
    let code = server_records_open(path, server, zone, &made)
    guard code == 0, let made else { throw BenchFailure("SQLite failed with \(code)") }
    records = made
    self.bodies = bodies
  }

  deinit { server_records_close(records) }

  /// Writes the rows as those of another zone.
  func save(zone: Int64) throws -> Int64 {
    var saved: Int64 = 0
    let list = bodies.list
    // Numbers of zones that the server's file has never had.
    let code = server_records_save(
      records, list, list.count, 1000 + zone, Int64(ServerRecords.batch), &saved)
    guard code == 0 else { throw BenchFailure("SQLite failed with \(code)") }
    return saved
  }
}
