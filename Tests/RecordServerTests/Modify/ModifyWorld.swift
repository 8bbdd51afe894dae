import DataModel
import RecordWire

@testable import RecordServer

/// A zone, a schema that grows, and a clock, for tests of `records/modify`.
final class ModifyWorld {
  let storage: any RecordStorage
  var schema = ContainerSchema()
  var zone = Samples.notes
  var user: String? = "_ann"
  /// Which assets may be saved.
  var assets: AssetGate?
  var cascadeRecordsMax = Int.max
  var time: Int64 = 1_700_000_000_000

  init(_ storage: any RecordStorage = MemoryStorage(epoch: 7)) { self.storage = storage }

  /// Makes the zone.
  func begin() async throws {
    let zone = zone
    try await storage.write { _ = try $0.createZone(zone, epoch: 1) }
  }

  /// Runs a call, and keeps what it added to the schema.
  func modify(
    _ operations: [RecordOperation], atomic: Bool? = nil,
    environment: SchemaEnvironment = .development
  ) async throws -> ModifyOutcome {
    time += 1000
    var call = ModifyCall(
      ModifyRequest(operations: operations, isAtomic: atomic), zone: zone,
      caller: RecordCaller(user: user), schema: schema, resolved: schema.resolved(environment),
      stamp: RecordStamp(timestamp: time, userRecordName: user, deviceID: RecordStamp.webDevice),
      newNames: operations.indices.map { "NEW-\(time)-\($0)" }, assets: assets)
    call.cascadeRecordsMax = cascadeRecordsMax
    let ready = call
    let outcome = try await storage.write { try ModifyRun(ready, in: $0).run() }
    if let next = outcome.schema { schema = next }
    return outcome
  }

  /// The live records of the zone, by name, as JSON.
  func contents() async throws -> [String: String] {
    let zone = zone
    let rows = try await storage.read {
      try $0.changes(
        of: zone, after: 0, upTo: .max, order: .oldestFirst, limit: PageLimit(records: 1000),
        withTombstones: false
      ).rows
    }
    return Dictionary(
      rows.map { ($0.name, String(decoding: $0.fields.json, as: UTF8.self)) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension RecordOperation {
  static func op(
    _ kind: Kind, _ name: String?, type: String? = "Note", tag: UInt64? = nil,
    _ fields: RecordFields = [:]
  ) -> RecordOperation {
    RecordOperation(
      kind,
      Record(
        recordName: name, recordType: type, fields: fields,
        changeTag: tag.map { ChangeTag(counter: $0) }))
  }
}

extension RecordValue {
  static func refers(to name: String, _ action: RecordReference.Action) -> RecordValue {
    .reference(RecordReference(recordName: name, action: action))
  }
}

extension ModifyOutcome {
  /// The entries in words.
  var words: [String] {
    entries.map { entry in
      switch entry {
      case .saved(let row): "\(row.name) \(row.sequence)"
      case .deleted(let name, let row): "\(name) deleted\(row.map { " \($0.sequence)" } ?? "")"
      case .failed(let name, let failure): "\(name) \(failure.code.rawValue)"
      }
    }
  }

  /// The reasons of the failures.
  var reasons: [String] {
    entries.compactMap { if case .failed(_, let failure) = $0 { failure.reason } else { nil } }
  }
}
