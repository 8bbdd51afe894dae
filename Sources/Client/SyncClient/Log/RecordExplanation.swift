import DataModel
public import ObjectStore
public import RecordWire
import SQLiteDriver
public import SyncCore

/// All that a store knows of one record: what explains why it is as it is.
public struct RecordExplanation: Hashable, Sendable {
  /// A change that is not acknowledged.
  public struct Change: Hashable, Sendable {
    /// `pending`, `parked` or `failed`.
    public var state: String
    /// What was done.
    public var kind: LocalChange.Kind
    /// The fields that were edited, with their clocks; none where all of a new record is sent.
    public var edits: [Clock]
    /// Whether it was sent and nobody knows whether it arrived.
    public var mayHaveArrived: Bool
    /// How often it was tried.
    public var attempts: Int
    /// The server's code, or one of `SyncFailureCode`; nil for none.
    public var code: String?
    /// What happened, in words.
    public var reason: String?
    /// When it was made, in milliseconds since 1970.
    public var time: Int64
    /// Not before this it is sent again, in milliseconds since 1970; 0 for at once.
    public var retry: Int64
    /// The values that are nowhere else any more.
    public var kept: RecordFields?
  }

  /// When a field was edited, and where.
  public struct Clock: Hashable, Sendable {
    /// The field; empty for all that have no clock of their own.
    public var field: String
    /// The edit.
    public var clock: FieldClock
  }

  /// A reference whose target is not here.
  public struct Waiting: Hashable, Sendable {
    /// The field.
    public var field: String
    /// The record that it waits for.
    public var target: String
  }

  /// What the server has now.
  public struct Server: Hashable, Sendable {
    /// The fields; nil where there is no such record.
    public var fields: RecordFields?
    /// The tag of the state.
    public var tag: String?
    /// When the server took it in, in milliseconds since 1970.
    public var modified: Int64?
  }

  /// The record's name.
  public var recordName: String
  /// The record's type.
  public var recordType: String
  /// The object, as entity and key; nil for a record that is a pair, or no object here.
  public var object: String?
  /// Why it is no object, or what it is in place of one; nil for an object.
  public var standing: String?
  /// What the object is on the wire now; nil where there is none.
  public var local: RecordFields?
  /// What the server confirmed last; nil for nothing.
  public var base: RecordFields?
  /// The tag of that state.
  public var tag: String?
  /// When the server took it in, in milliseconds since 1970.
  public var modified: Int64?
  /// The clocks of the fields that were confirmed.
  public var clocks: [Clock]
  /// This installation's number.
  public var device: DeviceNumber
  /// What is not acknowledged.
  public var changes: [Change]
  /// References whose targets are not here.
  public var waiting: [Waiting]
  /// The files that it waits for.
  public var files: [AwaitedFileFacts]
  /// What the log has about it, the newest first.
  public var events: [SyncLogEntry]
  /// What the server has now, where it was asked.
  public var server: Server?

  /// How many entries of the log there are at most.
  static let eventsMax = 100
}

extension Store {
  /// Explains a record, by its name or by the entity and key of its object: `Entry/17`.
  public func explainRecord(_ reference: String, _ configuration: SyncConfiguration) throws
    -> RecordExplanation
  {
    let objects = try ObjectRecords(layout, configuration.profile)
    return try readRows { connection in
      let rows = SyncRows(connection: connection)
      guard let row = try rows.find(reference, objects) else {
        throw SyncError(
          .notFound, reference, "is no record that this store has to do with",
          fix: "name a record, or an object as ENTITY/KEY")
      }
      return try RecordExplanation(row, rows, objects, self)
    }
  }
}

extension SyncRows {
  /// The record of that name, or that of an object.
  fileprivate func find(_ reference: String, _ objects: ObjectRecords) throws -> RecordRow? {
    for zone in try zones() {
      if let row = try record(named: reference, zone: zone.number) { return row }
    }
    let parts = reference.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let key = Int64(parts[1]),
      let type = objects.objectType(entity: String(parts[0]))
    else { return nil }
    return try record(of: .object(entity: type.number, key: key))
  }
}

extension RecordExplanation {
  fileprivate init(
    _ row: RecordRow, _ rows: SyncRows, _ objects: ObjectRecords, _ store: Store
  ) throws {
    recordName = row.name
    recordType = row.type
    (object, standing) = Self.place(of: row, objects)
    let stored = try rows.base(of: row.number)
    let state = try stored.map {
      objects.state(try $0.fields.fields(), modified: $0.modified)
    }
    base = state?.fields
    tag = stored?.tag?.text
    modified = stored?.modified
    clocks = Self.clocks(state?.clocks)
    let hasFiles = try FileTables.areThere(rows.connection)
    local =
      try LocalRecords(rows, objects, files: hasFiles ? store : nil).fields(of: row)?.fields
    device = DeviceNumber(rawValue: UInt64(bitPattern: try rows.integer(.device) ?? 0))
    changes = try ChangeRow.State.allCases.compactMap { state in
      try rows.change(of: row.number, state: state).map(Change.init)
    }
    waiting = try rows.waiting(of: row.number).filter(\.isReference).map {
      Waiting(field: $0.field, target: $0.target)
    }
    files =
      try FileTables.areThere(rows.connection)
      ? rows.awaitedFiles(of: row.number).map { AwaitedFileFacts($0, row) } : []
    events = try rows.log(limit: Self.eventsMax, subject: row.name)
  }

  private static func place(
    of row: RecordRow, _ objects: ObjectRecords
  ) -> (object: String?, standing: String?) {
    switch row.owner {
    case .object(let entity, let key):
      return ("\(objects.objectType(number: entity)?.entity ?? "?")/\(key)", nil)
    case .pair(_, let source, let target):
      return (nil, "a pair of related objects, with keys \(source) and \(target)")
    case .none:
      return (nil, "no object here: of an unknown type, for a later version, or deleted")
    }
  }

  private static func clocks(_ clocks: FieldClocks?) -> [Clock] {
    guard let clocks else { return [] }
    return (clocks.common.map { [Clock(field: "", clock: $0)] } ?? [])
      + clocks.own.map { Clock(field: $0.name, clock: $0.clock) }
  }
}

extension RecordExplanation.Change {
  fileprivate init(_ row: ChangeRow) throws {
    state = "\(row.state)"
    kind = row.change.kind
    edits = row.change.edits.map { RecordExplanation.Clock(field: $0.name, clock: $0.clock) }
    mayHaveArrived = row.change.mayHaveArrived
    attempts = Int(clamping: row.attempts)
    (code, reason, time, retry) = (row.code, row.reason, row.time, row.retry)
    kept = try row.kept?.fields()
  }
}

extension RecordExplanation {
  /// Asks the server what it has now.
  public mutating func ask(
    _ configuration: SyncConfiguration, _ transport: any RecordTransport
  ) async throws {
    let request = LookupRequest(
      records: [LookupRequest.Item(recordName: recordName)], zone: configuration.zone)
    let reply = try await transport.send(
      SyncCall("records/lookup", in: .database(.private), body: try request.json()))
    if let failure = reply.failure { throw failure }
    guard case .record(let record)? = try RecordsResponse(json: reply.body).records.first else {
      server = Server()
      return
    }
    var fields = try record.allFields().canonical
    // Clocks are no values that somebody would look for.
    if configuration.profile == .native { fields[ClockField.name] = nil }
    server = Server(
      fields: fields, tag: record.changeTag?.text,
      modified: record.modified?.timestamp)
  }
}
