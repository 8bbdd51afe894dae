import DataModel
package import ObjectStore
import RecordWire
import SQLiteDriver
package import SyncCore

/// Carries out the steps of sync on a store: makes requests, and takes in their answers.
///
/// It knows no clock and no network: a driver asks it to begin a step, sends the request that it gets, and
/// hands in what came back. So a test, a simulation and a program run the same code. All that it has to
/// remember is in the store, so that it may be gone at any moment; one session works on a store at a time,
/// and one thread at a time on a session.
package final class SyncSession {
  let store: Store
  let objects: ObjectRecords
  let configuration: SyncConfiguration
  let device: DeviceNumber
  var names: RecordNaming
  /// What the server has beyond the protocol.
  var capabilities: CapabilitiesResponse?
  var batchSize = BatchSize()
  var pageSize = PageSize()
  /// The request that is under way.
  var batch: PushBatch?
  /// The request that goes next; see `work`.
  var readyBatch: PushBatch?
  /// What the server has taken, and what nobody has noted down yet.
  var takenBatch: TakenBatch?
  /// The page that is applied next.
  var readPage: RecordChangesResponse?
  /// What was done since a step ended, and is counted with the next one.
  var lateTally = SyncTally()
  /// The records that the server has in another state than we thought.
  var lookUps: [String] = []
  /// How often records were looked up in vain that the server had confirmed, by name.
  var absences: [String: Int] = [:]
  /// The files that go before the next request.
  var uploads = UploadQueue()
  /// What is being fetched of a file.
  var fetch: Fetch?
  /// Whether it was asked what production lacks.
  var knowsLacks = false
  /// Bugs that are switched on; none but in simulations.
  let sabotage: SyncSabotage
  /// The page that one of them keeps.
  var heldPage: RecordChangesResponse?
  /// What happened, for who listens; nil keeps it for `takeReports`.
  var listener: ((SyncReport) -> Void)?
  private var reports: [SyncReport] = []

  package init(
    _ store: Store, _ configuration: SyncConfiguration, device: DeviceNumber,
    random: any RandomNumberGenerator, sabotage: SyncSabotage = []
  ) throws {
    self.store = store
    self.sabotage = sabotage
    self.configuration = configuration
    names = RecordNaming(random: random)
    objects = try ObjectRecords(
      store.layout, configuration.profile, legacyFields: configuration.legacyFields)
    self.device = try SyncSetup.prepare(store, configuration, objects, device: device)
    if !sabotage.isEmpty { try sabotageStart() }
  }

  /// What is to be done for a step.
  package enum Work {
    /// A request; `finish` wants what came back.
    case call(SyncCall)
    /// Nothing more.
    case done(StepResult)
  }

  /// Begins a step at `now`, in milliseconds since 1970.
  package func begin(_ step: SyncStep, now: Int64) throws -> Work {
    if !sabotage.isEmpty { try sabotageStep(now) }
    // One may be left where a driver has failed at something.
    batch = nil
    let isReady = step == .push && readyBatch != nil || step == .pull && readPage != nil
    if !isReady { try catchUp(now) }
    try takeInAhead(now)
    let work = try start(step, now)
    guard case .done(let result) = work else { return work }
    try noteTrouble(result, now)
    return .done(counted(result))
  }

  /// A step's result with what was done since the one before.
  private func counted(_ result: StepResult) -> StepResult {
    guard case .done(var facts) = result else { return result }
    facts.tally += lateTally
    lateTally = SyncTally()
    return .done(facts)
  }

  private func start(_ step: SyncStep, _ now: Int64) throws -> Work {
    switch step {
    case .hello: try beginHello(now)
    case .account: .call(SyncCall("users/caller", in: .database(.public)))
    case .makeZone: try beginMakingZone()
    case .refetch: try beginRefetch(now)
    case .pull: try beginPull()
    case .schema: try beginSchema(now)
    case .push: try beginPush(now)
    case .upload: try beginUpload(now)
    case .download: try beginDownload(now)
    case .lookUp: try beginLookUp()
    case .resolve: try beginResolving(now)
    case .settle: try settle(now)
    }
  }

  /// Ends a step with what came back.
  package func finish(
    _ step: SyncStep, _ reply: Result<SyncReply, TransportFailure>, now: Int64
  ) throws -> StepResult {
    if step == .upload || step == .download { return try finishFile(step, reply, now) }
    switch reply {
    case .failure(let failure):
      batch = nil
      try catchUp(now)
      // Perhaps it was more than goes through in the time that a request has.
      if step == .push { _ = batchSize.halve() }
      if step == .pull { pageSize.halve() }
      return .unanswered(failure.description)
    case .success(let reply) where step == .push && reply.isOfGateway:
      // Its batch stays on its way; perhaps it took the server too long.
      batch = nil
      try catchUp(now)
      _ = batchSize.halve()
      return .failed(.retry(afterSeconds: reply.retryAfter))
    case .success(let reply):
      let result =
        if let failure = reply.failure { try take(failure, of: step, now) } else {
          try take(reply, of: step, now)
        }
      try noteTrouble(result, now)
      return counted(result)
    }
  }

  private func finishFile(
    _ step: SyncStep, _ reply: Result<SyncReply, TransportFailure>, _ now: Int64
  ) throws -> StepResult {
    do {
      let result =
        step == .upload ? try finishUpload(reply, now) : try finishDownload(reply, now)
      try noteTrouble(result, now)
      return result
    } catch let error as WireError {
      return .unanswered("\(error)")
    }
  }

  private func take(_ reply: SyncReply, of step: SyncStep, _ now: Int64) throws -> StepResult {
    do {
      switch step {
      case .hello: return try finishHello(reply.body)
      case .account: return try finishAccount(reply.body)
      case .makeZone: return try finishMakingZone(reply.body)
      case .pull: return try finishPull(reply.body, now)
      case .schema: return try finishSchema(reply.body)
      case .push: return try finishPush(reply.body, now)
      case .lookUp: return try finishLookUp(reply.body, now)
      case .refetch, .resolve, .settle, .upload, .download: return .done(StepFacts())
      }
    } catch let error as WireError {
      // What cannot be read is no answer: the request may have arrived.
      batch = nil
      try catchUp(now)
      return .unanswered("\(error)")
    }
  }

  private func take(
    _ failure: RequestFailure, of step: SyncStep, _ now: Int64
  ) throws -> StepResult {
    try catchUp(now)
    let consequence =
      step == .pull ? try pullConsequence(failure) : RequestConsequence(failure)
    if step == .schema { knowsLacks = true }
    if step == .push { return try takePush(failure, consequence, now) }
    if consequence == .zoneGone { return try takeZoneGone() }
    if consequence == .quota { return .done(StepFacts(trouble: .quotaExceeded)) }
    return .failed(consequence)
  }
}

extension SyncSession {
  func report(_ report: SyncReport) {
    if let listener { listener(report) } else { reports.append(report) }
  }

  /// What happened since it was asked last.
  package func takeReports() -> [SyncReport] {
    defer { reports = [] }
    return reports
  }

  /// Runs `body` in a write transaction of sync's own.
  func write<Result>(
    isDurable: Bool = false, _ body: (WriteTransaction, SyncRows) throws -> Result
  ) throws -> Result {
    try store.write(author: SyncAuthor.name, isDurable: isDurable) { transaction in
      let rows = SyncRows(connection: transaction.connection, digests: DigestChanges())
      let result = try body(transaction, rows)
      try rows.writeDigests()
      return result
    }
  }

  /// Reads sync's tables.
  func read<Result>(_ body: (SyncRows) throws -> Result) throws -> Result {
    try store.readRows { try body(SyncRows(connection: $0)) }
  }

  func zone(_ rows: SyncRows) throws -> ZoneRow {
    guard let zone = try rows.zones().first else {
      throw SyncError(.notSetUp, "the store", "is synced with no zone", fix: "set up its sync")
    }
    return zone
  }

  /// How many changes are still to be sent.
  func pendingCount() throws -> Int {
    let sql = "SELECT sum(count) FROM contrail_sync_change WHERE state = 0"
    return Int(clamping: try read { try $0.integer(sql) } ?? 0)
  }

  /// Whether a pass reads everything anew, and is not done with it.
  package var readsAllAnew: Bool { get throws { try read(zone).refetch != nil } }

  /// Whether the server has said that it has an extension.
  package func has(_ extension: String) -> Bool {
    configuration.usesExtensions && capabilities?.extensions.contains(`extension`) == true
  }
}
