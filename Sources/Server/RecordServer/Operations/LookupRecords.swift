import DataModel
import RecordWire

/// `records/lookup`: records by their names, each with its own error where it cannot be had.
enum LookupRecords: ReadingOperation {
  static let path = "records/lookup"

  static func answer(
    _ request: LookupRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> RecordsResponse {
    let zone = try context.zones.key(request.zone)
    let transaction = reading.transaction
    var reader = ReadableRecords(zone, context.call.caller, try reading.schema().resolved)
    let row = try transaction.liveZone(zone)
    var bytesLeft = context.limits.pageBytesMax
    var results: [RecordResult] = []
    results.reserveCapacity(request.records.count)
    while results.count < request.records.count {
      let part = request.records[results.count...].prefix(readAtOnceMax)
      let isFull = bytesLeft <= 0 && !results.isEmpty
      let found =
        try row == nil || isFull ? [] : transaction.records(part.map(\.recordName), in: zone)
      for (index, item) in part.enumerated() {
        let record = found.indices.contains(index) ? found[index] : nil
        bytesLeft -= record?.byteCount ?? 0
        let shape = AnswerShape(
          desiredKeys: item.desiredKeys ?? request.desiredKeys,
          numbersAsStrings: request.numbersAsStrings,
          assets: record?.hasAssets == true ? context.reading(zone) : nil)
        results.append(
          isFull
            ? .failure(ItemFailure(.record(item.recordName), .answerIsFull))
            : try reader.result(item.recordName, record, shape))
      }
    }
    return RecordsResponse(
      records: results, syncToken: context.call.wantsSyncToken ? row?.token.text : nil)
  }

  /// How many records are read before it is seen whether the answer is full.
  private static let readAtOnceMax = 16
}

extension RequestFailure {
  /// The records that were asked for have more bytes than one answer.
  fileprivate static let answerIsFull = RequestFailure(
    .tryAgainLater, reason: "the answer is full: ask for this record again", retryAfter: 0)
}

/// Tells which records of a zone a caller may read.
struct ReadableRecords: Sendable {
  private let zone: ZoneKey
  private let identity: ZoneIdentity
  private let caller: RecordCaller
  private let schema: ResolvedSchema
  /// What the caller may do with the type that was met last: most answers have one or few.
  private var known: (type: String, rights: RecordRights)?

  init(_ zone: ZoneKey, _ caller: RecordCaller, _ schema: ResolvedSchema) {
    self.zone = zone
    identity = zone.identity
    self.caller = caller
    self.schema = schema
  }

  /// The record, or why it cannot be had.
  mutating func result(
    _ name: String, _ row: RecordRow?, _ shape: AnswerShape
  ) throws -> RecordResult {
    guard let row, !row.isDeleted else {
      return .failure(ItemFailure(recordName: name, .notFound))
    }
    guard mayRead(row) else { return .failure(ItemFailure(recordName: name, .accessDenied)) }
    return .record(try shape.record(row, in: identity))
  }

  /// A private database is its owner's; in the public one grants count.
  mutating func mayRead(_ row: RecordRow) -> Bool {
    guard zone.database.scope == .everyone else { return true }
    return rights(onType: row.type).permissions(onRecordBy: row.created.userRecordName)
      .contains(.read)
  }

  private mutating func rights(onType type: String) -> RecordRights {
    if let known, ExactName.areEqual(known.type, type) { return known.rights }
    let rights = schema.rights(of: caller, onType: type)
    known = (type, rights)
    return rights
  }
}

extension ZoneRow {
  /// The token of somebody who has everything that the zone has now.
  var token: SyncToken { SyncToken(feed: .zone, epoch: epoch, sequence: sequence) }
}
