import FoundationEssentials
import RecordWire

/// What the rows of the server suite work with: a server, and where files may be made.
final class ServerBench {
  /// How many records a full run of saves and pulls is about.
  static let recordsMax = 10_000
  /// How long one run of a load takes.
  static let loadSeconds = 3

  let recordCount: Int
  let loadSeconds: Int
  private let folder: TemporaryFolder
  private(set) lazy var server = Result { try RecordServerProcess(in: path("recordd")) }
  /// The zone whose records are pulled, once it is filled.
  private var pulled: ZoneIdentity?
  private var zoneCount = 0

  init(_ runner: Runner) throws {
    recordCount = runner.size(Self.recordsMax)
    loadSeconds = runner.isQuick ? 1 : Self.loadSeconds
    folder = try TemporaryFolder()
  }

  func path(_ name: String) -> String { folder.path(name) }

  /// Makes a zone that nobody has used.
  func freshZone() throws -> ZoneIdentity {
    zoneCount += 1
    let zone = ZoneIdentity(name: "Zone\(zoneCount)")
    let request = ZoneModifyRequest(operations: [.init(.create, zone)])
    _ = try ask("private", "zones/modify", try request.json())
    return zone
  }

  /// A zone with `recordCount` records.
  func filledZone() throws -> ZoneIdentity {
    if let pulled { return pulled }
    let zone = try freshZone()
    _ = try saves(ServerRecords.saves(recordCount, in: zone)).play(to: try server.get().port)
    pulled = zone
    return zone
  }

  /// The requests that have these bodies.
  func saves(_ bodies: [[UInt8]]) throws -> Requests {
    let path = try server.get().path("private", "records/modify")
    return Requests(bodies.map { Requests.post(path, $0) })
  }

  /// The answer to one request of the user.
  func ask(_ scope: String, _ operation: String, _ body: [UInt8]) throws -> [UInt8] {
    let server = try server.get()
    return try Requests.ask(server, Requests.post(server.path(scope, operation), body))
  }
}
