import Glibc
import RecordWire
import ServerFloors

/// Clients that wait for changes: what they cost while nothing happens, and when they hear of a change.
enum StreamWork {
  static let streamsMax = 10_000
  /// What all of them may take together.
  static let megabytesMax = 50.0
  /// When the last of them has to know.
  static let millisecondsMax = 250.0
  private static let longestWait: Int32 = 20_000

  static func run(_ runner: Runner, _ bench: ServerBench) throws {
    try run(runner, bench, isTLS: false)
    try run(runner, bench, isTLS: true)
  }

  private static func run(_ runner: Runner, _ bench: ServerBench, isTLS: Bool) throws {
    let count = runner.size(streamsMax)
    let kind = "\(count) idle streams" + (isTLS ? " over TLS" : "")
    guard runner.wants(kind) else { return }
    runner.report.began(kind)
    let folder = bench.path(isTLS ? "streams-tls" : "streams")
    // A server of its own: what others have used and freed would hold streams for nothing.
    let server = try RecordServerProcess(in: folder, tls: isTLS ? Certificate(in: folder) : nil)
    let before = server.process.heldMB
    let began = ContinuousClock.now
    let streams = try Streams(server, count)
    let opened = Int((ContinuousClock.now - began) / .milliseconds(1))
    let held = server.process.heldMB - before
    let times = try (0..<Runner.serverRunCount).map { _ in
      defer { runner.report.advanced() }
      return try streams.broadcast(atMost: longestWait)
    }
    runner.add(
      Row(
        name: "\(kind): memory", unit: "MB", ours: held, floor: nil, target: nil,
        peakMemoryMB: server.process.peakMB,
        note:
          "what recordd holds more than before they came, \(Int(held * 1_048_576) / count) bytes each; "
          + "opened in \(opened) ms" + (isTLS ? "" : "; at most \(megabytesMax) MB"),
        isRight: isTLS || held <= megabytesMax))
    let time = runner.median(times)
    runner.add(
      Row(
        name: "\(kind): a change", unit: "ms", ours: time, floor: nil, target: nil,
        peakMemoryMB: server.process.peakMB,
        note: "from sending the change until the last stream's client has read of it, the commit "
          + "included; between \(Int(times.min() ?? 0)) and \(Int(times.max() ?? 0)) ms"
          + (isTLS ? "" : "; at most \(millisecondsMax) ms"),
        isRight: isTLS || time <= millisecondsMax))
  }
}

/// Open streams of one user's private database.
private final class Streams {
  private let streams: OpaquePointer
  private let server: RecordServerProcess
  private let change: [UInt8]

  init(_ server: RecordServerProcess, _ count: Int) throws {
    self.server = server
    let record = Record(recordName: "news", recordType: "News")
    let save = ModifyRequest(operations: [RecordOperation(.forceReplace, record)])
    change = Requests.post(server.path("private", "records/modify"), try save.json())
    // The first save of a type makes the schema grow, which no later one does.
    _ = try Requests.ask(server, change)
    var made: OpaquePointer?
    let request = Requests.get(server.streamPath)
    let code = request.withUnsafeBufferPointer { bytes in
      server_streams_open(
        server.port, server_bytes(bytes: bytes.baseAddress, count: bytes.count), Int32(count),
        server.isTLS ? 1 : 0, &made)
    }
    guard code == 0, let made else {
      throw BenchFailure("\(count) streams cannot be opened: \(String(cString: strerror(code)))")
    }
    streams = made
  }

  deinit { server_streams_close(streams) }

  /// Changes a record, and returns the milliseconds until every stream has told of it.
  func broadcast(atMost milliseconds: Int32) throws -> Double {
    let began = ContinuousClock.now
    _ = try Requests.ask(server, change)
    let code = server_streams_wait(streams, milliseconds)
    guard code == 0 else {
      throw BenchFailure("not every stream heard of a change: \(String(cString: strerror(code)))")
    }
    return (ContinuousClock.now - began) / .milliseconds(1)
  }
}
