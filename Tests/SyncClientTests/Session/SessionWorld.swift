import DataModel
import Foundation
import ObjectStore
import RecordServer
import RecordWire
import SyncCore
import Synchronization

@testable import SyncClient

/// A real server core without a network, for devices of one user.
final class RecordHall: Sendable {
  let assets: MemoryAssets?
  private let limits: ServiceLimits
  private let hasAssets: Bool
  private let current: Mutex<(service: RecordService, storage: MemoryStorage)>
  /// Who asks.
  let user = Mutex("_ann")
  /// Whether nobody can read the server's tokens, as those of another kind of server.
  let hidesTokens = Mutex(false)
  private let count = Mutex<Int64>(1_000)
  /// Stands between a request and its answer; nil lets it through.
  private let gate = Mutex<(@Sendable (SyncCall) -> Gate)?>(nil)
  private let log = Mutex<[String]>([])
  private let clock = Mutex<Int64>(1_700_000_000_000)

  /// What becomes of a request.
  enum Gate: Sendable {
    case pass
    /// It arrives, and the answer does not.
    case loseReply
    /// It arrives, and a page comes back that somebody between us and the server has made.
    case replacePage(Int)
    /// It does not arrive.
    case loseRequest
    /// It does not arrive, and a page comes back that somebody between us and the server has made.
    case page(Int)
    /// It does not arrive, and this comes back.
    case reply([UInt8])
    /// The server answers this instead.
    case answer(RequestFailure)
    /// The server answers this to every operation of a push.
    case refuse(ErrorCode)
  }

  init(
    _ environment: SchemaEnvironment = .development, _ storage: MemoryStorage? = nil,
    hasAssets: Bool = true, assetBytesMax: Int64? = nil
  ) {
    assets = MemoryAssets(
      container: "test", environment, sealKey: [UInt8](repeating: 1, count: Seal.keyBytes))
    var limits = ServiceLimits()
    if let assetBytesMax { limits.privateAssetBytesMax = assetBytesMax }
    (self.limits, self.hasAssets) = (limits, hasAssets)
    let storage = storage ?? MemoryStorage(epoch: 7)
    let service = RecordService(
      environment, storage: storage, limits: limits, assets: hasAssets ? assets?.setting : nil)
    current = Mutex((service, storage))
  }

  /// The time of all devices here, a second later each time.
  func now() -> Int64 { pass(seconds: 1) }

  @discardableResult
  func pass(seconds: Int64) -> Int64 {
    clock.withLock { now in
      now += seconds * 1_000
      return now
    }
  }

  var service: RecordService { current.withLock { $0.service } }

  /// What the server has now, as a backup.
  func backup() -> MemoryStorage { MemoryStorage(copying: current.withLock { $0.storage }) }

  /// Puts the server back to what it had.
  func restore(_ backup: MemoryStorage) {
    current.withLock { current in
      let service = RecordService(
        current.service.environment, storage: backup, limits: limits,
        assets: hasAssets ? assets?.setting : nil)
      current = (service, backup)
    }
  }

  /// The operations that were asked for, in order.
  var calls: [String] { log.withLock { $0 } }
  func forgetCalls() { log.withLock { $0 = [] } }

  /// Does to a zone what somebody else does.
  func change(_ zone: ZoneIdentity, _ kinds: [ZoneModifyRequest.Operation.Kind]) async throws {
    for kind in kinds {
      let request = ZoneModifyRequest(operations: [.init(kind, zone)])
      _ = await send(SyncCall("zones/modify", in: .database(.private), body: try request.json()))
    }
  }

  /// Deletes a zone, and makes one of the same name.
  func makeAnew(_ zone: ZoneIdentity) async throws { try await change(zone, [.delete, .create]) }

  func setGate(_ body: (@Sendable (SyncCall) -> Gate)?) { gate.withLock { $0 = body } }

  func send(_ call: SyncCall) async -> Result<SyncReply, TransportFailure> {
    log.withLock { $0.append(call.path) }
    let gate = gate.withLock { $0 }?(call) ?? .pass
    switch gate {
    case .pass: return .success(await answer(call))
    case .loseReply:
      _ = await answer(call)
      return .failure(TransportFailure("lost"))
    case .replacePage(let status):
      _ = await answer(call)
      return .success(SyncReply(status: status, body: Array("<html>no</html>".utf8)))
    case .loseRequest: return .failure(TransportFailure("lost"))
    case .page(let status):
      return .success(SyncReply(status: status, body: Array("<html>no</html>".utf8)))
    case .reply(let body): return .success(SyncReply(status: 200, body: body))
    case .answer(let failure): return .success(Self.reply(failure))
    case .refuse(let code): return .success(Self.refusal(of: call, code))
    }
  }

  private func answer(_ call: SyncCall) async -> SyncReply {
    guard hidesTokens.withLock({ $0 }) else { return await answerPlainly(call) }
    var call = call
    call.body = Self.replacing("\"syncToken\":\"foreign-", by: "\"syncToken\":\"", in: call.body)
    var reply = await answerPlainly(call)
    reply.body = Self.replacing("\"syncToken\":\"", by: "\"syncToken\":\"foreign-", in: reply.body)
    return reply
  }

  private static func replacing(_ text: String, by other: String, in body: [UInt8]) -> [UInt8] {
    Array(String(decoding: body, as: UTF8.self).replacing(text, with: other).utf8)
  }

  private static func refusal(of call: SyncCall, _ code: ErrorCode) -> SyncReply {
    let operations = (try? ModifyRequest(json: call.body))?.operations ?? []
    let response = RecordsResponse(
      records: operations.map { operation in
        .failure(
          ItemFailure(
            recordName: operation.record.recordName ?? "", code, reason: "no room is left"))
      })
    return SyncReply(status: 200, body: (try? response.json()) ?? [])
  }

  private func answerPlainly(_ call: SyncCall) async -> SyncReply {
    let user = user.withLock { $0 }
    let number = count.withLock { count in
      count += 1
      return count
    }
    let source = FreshSource(recordName: { "NEW-\(number)" }, epoch: { UInt64(number) << 32 })
    do {
      switch call.scope {
      case .address(let url):
        guard let assets else { throw RequestFailure.noAssetHere }
        if call.method == .get {
          let bytes = try assets.download(from: url, now: number)
          guard let path = call.replyFile else { return SyncReply(status: 200, body: bytes) }
          try Data(bytes).write(to: URL(fileURLWithPath: path))
          return SyncReply(status: 200, body: [])
        }
        let body = try call.bodyFile.map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
        return SyncReply(
          status: 200,
          body: try await assets.upload(body ?? call.body, to: url, of: service, now: number).json()
        )
      case .server: return SyncReply(status: 200, body: try Self.capabilities.json())
      case .environmentExtension:
        return SyncReply(
          status: 200,
          body: try await service.answerExtension(
            call.path,
            ServiceCall(.private, caller: .init(user: user), now: number, source: source),
            body: call.body))
      case .database(let scope):
        let asked = ServiceCall(scope, caller: .init(user: user), now: number, source: source)
        return SyncReply(
          status: 200, body: try await service.answer(call.path, asked, body: call.body))
      case .databaseExtension(let scope):
        let asked = ServiceCall(scope, caller: .init(user: user), now: number, source: source)
        return SyncReply(
          status: 200, body: try await service.answerExtension(call.path, asked, body: call.body))
      }
    } catch let failure as RequestFailure {
      return Self.reply(failure)
    } catch {
      return Self.reply(RequestFailure(.internalError, reason: "\(error)"))
    }
  }

  private static let capabilities = CapabilitiesResponse(
    server: "test",
    extensions: ["batch", "pageBytes", "pushTokens", "schemaCheck", "tombstones", "zoneDigest"])

  private static func reply(_ failure: RequestFailure) -> SyncReply {
    SyncReply(
      status: failure.status, body: (try? failure.json()) ?? [], retryAfter: failure.retryAfter)
  }
}

extension [Trouble: TroublePolicy] {
  /// Whatever a server has lost is sent again.
  static var sendingAgain: Self {
    Dictionary(
      uniqueKeysWithValues: Trouble.allCases.filter { $0 != .quotaExceeded }.map { ($0, .reupload) }
    )
  }
}

/// A device: a store, and a session that may be gone and made again.
final class Device {
  let store: Store
  let hall: RecordHall
  var configuration: SyncConfiguration
  private(set) var session: SyncSession
  private(set) var machine: SyncMachine
  private(set) var reports: [SyncReport] = []
  private let number: UInt64

  init(
    _ number: UInt64, _ hall: RecordHall, schema: Schema, profile: MappingProfile = .native,
    at location: Store.Location = .memory, versionMax: Int64? = nil,
    policies: [Trouble: TroublePolicy] = [:], container: String = "test"
  ) throws {
    self.number = number
    self.hall = hall
    var environment = Store.Environment.system
    environment.now = { Date(timeIntervalSince1970: Double(hall.now()) / 1_000) }
    store = try Store(at: location, schema: schema, environment: environment)
    configuration = SyncConfiguration(
      server: "hall", container: container, environment: hall.service.environment.rawValue,
      profile: profile)
    configuration.versionMax = versionMax
    configuration.machine.policies = policies
    session = try SyncSession(
      store, configuration, device: DeviceNumber(rawValue: number),
      random: SeededRandom(seed: number))
    machine = SyncMachine(configuration.machine, seed: number)
    listen()
  }

  /// The process ends at once, and another one begins.
  func restart() throws {
    session = try SyncSession(
      store, configuration, device: DeviceNumber(rawValue: number),
      random: SeededRandom(seed: number &+ UInt64(hall.now())))
    machine = SyncMachine(configuration.machine, seed: number)
    listen()
  }

  private func listen() { session.listener = { [unowned self] in reports.append($0) } }

  /// A pass to its end.
  @discardableResult
  func sync() async throws -> SyncMachine.PassEnd {
    var actions = machine.handle(.wish(.asked), now: hall.now())
    while true {
      var next: [SyncMachine.Action] = []
      for action in actions {
        switch action {
        case .carryOut(let step):
          next += machine.handle(.result(try await carryOut(step)), now: hall.now())
        case .finish(let end): return end
        case .wake(let time):
          if time != nil { next += machine.handle(.timer, now: hall.now()) }
        }
      }
      actions = next
    }
  }

  func carryOut(_ step: SyncStep) async throws -> StepResult {
    switch try session.begin(step, now: hall.now()) {
    case .done(let result): return result
    case .call(let call):
      let reply = await hall.send(call)
      try session.work(now: hall.now())
      return try session.finish(step, reply, now: hall.now())
    }
  }

  /// What became of changes, as it was told.
  var fates: [String] {
    reports.compactMap { report in
      guard case .fate(let fate) = report else { return nil }
      return "\(fate.recordType): \(fate.outcome)"
    }
  }
  func forgetReports() { reports = [] }

  /// The objects of an entity as texts, sorted: what each has in its attributes and to-ones, the latter by
  /// the record names of their objects.
  func objects(_ entity: String) throws -> [String] {
    guard let type = session.objects.objectType(entity: entity) else { return [] }
    return try session.read { rows in
      let local = LocalRecords(rows, session.objects)
      return try type.keys(from: 1, to: .max, limit: .max, rows.connection).compactMap { key in
        let owner = RecordRow.Owner.object(entity: type.number, key: key)
        guard let record = try rows.record(of: owner), let read = try local.fields(of: record)
        else { return "\(key) without a record" }
        return read.fields.entries.map { "\($0.name)=\($0.field.value.shown)" }
          .joined(separator: " ")
      }.sorted()
    }
  }

  /// The changes that are not acknowledged.
  func changes(_ state: ChangeRow.State) throws -> [ChangeRow] {
    try session.read { try $0.changes(in: state, limit: .max) }
  }

  /// The records that the server has confirmed, by name.
  func bases() throws -> [String: String] {
    try session.read { rows in
      var found: [String: String] = [:]
      for row in try rows.records(from: 1, count: .max / 2) {
        if let base = try rows.base(of: row.number) {
          found[row.name] = String(decoding: base.fields.json, as: UTF8.self)
        }
      }
      return found
    }
  }
}

extension RecordValue {
  /// Short, for tests.
  var shown: String {
    switch self {
    case .string(let text): text
    case .int64(let value), .timestamp(let value): String(value)
    case .double(let value): String(value)
    case .null: "nothing"
    default: "\(self)"
    }
  }
}
