import DataModel
import RecordWire
import SyncClient
import SyncCore

// What a server loses as a whole, and what devices do about it.
extension World {
  /// How long tombstones live at least, in milliseconds.
  private static let tombstoneAge: Int64 = 30_000

  /// Draws when the server loses something.
  func planLosses() {
    var random = RandomForks.source(options.seed, "losses")
    func plan(_ loss: ServerLoss, _ range: ClosedRange<Int64>) {
      add(.lose(loss), after: random.milliseconds(range))
    }
    let (whole, half) = (0...options.span, options.span / 2)
    if options.features.contains(.zoneLosses) {
      for _ in 0..<random.int(1...2) { plan(random.pick(ServerLoss.ofZones) ?? .zoneReset, whole) }
    }
    if options.features.contains(.restores) {
      plan(.backedUp, 0...half)
      plan(random.chance(500) ? .restored : .restoredAnew, half...options.span)
    }
    if options.features.contains(.forgetting) {
      for _ in 0..<random.int(1...4) { plan(.forgotten, whole) }
    }
  }

  func lose(_ loss: ServerLoss) async throws {
    // Before all faults are over, or never.
    guard !isQuiet else { return }
    note(nil, "loss: \(loss.rawValue)")
    switch loss {
    case .backedUp:
      hall.backUp()
      (restoration.pushers, restoration.readers) = ([], [])
      restoration.isPromoted = isPromoted
    case .zoneDeleted, .zoneReset, .purged:
      noteLoss()
      try await hall.loseZones(loss)
      try await observer.read(hall)
    case .restored, .restoredAnew: try await restore(isSilent: loss == .restored)
    case .forgotten:
      for device in devices { exempt.noteUnconfirmed(try device.inspection()) }
      try await hall.forgetTombstones(madeBefore: clock.now - Self.tombstoneAge)
    }
  }

  /// What was there may be missing, or come again, from now on.
  private func noteLoss() {
    exempt.noteLoss(of: observer)
    observer.begin()
    restoration.reaches = [:]
  }

  private func restore(isSilent: Bool) async throws {
    guard hall.hasBackup else { return }
    noteLoss()
    hall.restore()
    isPromoted = restoration.isPromoted
    restoration.loseAnswers(upTo: callCount)
    try await observer.read(hall)
    guard isSilent, let reaches = try unnoticed() else { return try await renew() }
    restoration.reaches = reaches
  }

  private func renew() async throws {
    note(nil, "has other epochs")
    observer.begin()
    restoration.reaches = [:]
    hall.renewEpochs()
    try await observer.read(hall)
  }

  /// How far the tokens of devices reach that will notice it; nil where one would not that knows more than
  /// the server.
  private func unnoticed() throws -> [Int: UInt64]? {
    guard let token = observer.token else { return [:] }
    let server = try SyncToken(text: token)
    var reaches: [Int: UInt64] = [:]
    for device in devices {
      guard let own = try device.knownToken() else {
        if restoration.pushers.contains(device.index) { return nil }
        continue
      }
      guard own.epoch == server.epoch else { continue }
      if own.reach > server.reach {
        reaches[device.index] = own.reach
      } else if restoration.pushers.union(restoration.readers).contains(device.index) {
        return nil
      }
    }
    return reaches
  }

  /// Gives the server's zones other epochs before a request takes it as far as it was for somebody who has
  /// not noticed that it was put back.
  func keepNoticeable(_ letter: Letter) async throws {
    guard letter.call.path == "records/modify", let least = restoration.reaches.values.min(),
      let token = observer.token,
      let request = try? ModifyRequest(json: letter.call.body, limits: .response),
      try SyncToken(text: token).reach + UInt64(request.operations.count) >= least
    else { return }
    noteLoss()
    try await renew()
  }
}

// Decisions.
extension World {
  /// Somebody who was asked decides about trouble, if there is any still.
  func decide(_ device: SimulatedDevice) async throws {
    guard device.isAlive, !device.machine.isRunning else { return }
    try decideAtOnce(device)
    try await drive(device, .resume)
  }

  func decideAtOnce(_ device: SimulatedDevice) throws {
    guard options.hasLosses, device.options.decidesLater, let session = device.session,
      let trouble = try SyncStatus.read(device.store).trouble, trouble != .quotaExceeded
    else { return }
    note(device.index, "decides about \(trouble.rawValue): \(device.options.policy.rawValue)")
    try session.resolve(device.options.policy, now: device.now)
    takeReports(device)
    try noteDecision(device, trouble)
  }

  /// Notes down what a device still has, after it has decided about trouble.
  func noteDecision(_ device: SimulatedDevice, _ trouble: Trouble) throws {
    guard let session = device.session else { return }
    let policy = device.options.policy
    device.token = nil
    restoration.reaches[device.index] = nil
    let inspection = try session.inspection()
    let awaited = inspection.awaitedFiles(hall.names)
    exempt.noteDecision(policy, of: device.index)
    exempt.noteUnconfirmed(inspection)
    // Who keeps what was lost sends it, too, as soon as it is edited.
    if policy != .deleteLocal { exempt.noteKnown(inspection) }
    if policy == .reupload {
      ledger.noteUnseen(inspection.unseenObjects(hall.names), by: device.index)
      ledger.noteAwaiting(awaited, by: device.index)
    }
    let unsent = inspection.unsentObjects(
      policy, hall.names, isRestored: trouble == .serverRestored)
    let kept = try device.edits { uid, field in
      // What stands in the place of a file that has not come is an earlier value, and is sent as one.
      if awaited[uid]?.contains(field) == true { return false }
      if policy == .reupload { return true }
      return unsent[uid].map { $0?.contains(field) ?? true } == true
    }
    ledger.noteDecision(of: device.index, sendsAgain: policy == .reupload, kept: kept)
  }
}

extension SyncInspection {
  /// What tells the objects of which a device has only the records.
  fileprivate func unseenObjects(_ names: WorldNames) -> Set<String> {
    Set(
      records.filter { record in
        guard case .int64(let least) = names.value(WorldSchema.minimum.name, in: record.base) else {
          return false
        }
        return !record.isOwned && least > 1
      }.compactMap { record in
        if case .string(let uid) = names.value("uid", in: record.base) { uid } else { nil }
      })
  }

  /// The fields whose files have not come, by what tells their objects.
  fileprivate func awaitedFiles(_ names: WorldNames) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for record in records where !record.awaited.isEmpty {
      guard case .string(let uid) = names.value("uid", in: record.local) else { continue }
      found[uid] = record.awaited.map(names.property)
    }
    return found
  }

  /// The objects that are sent whatever becomes of what the server has lost, by what tells them, with the
  /// fields that are; nil for all.
  fileprivate func unsentObjects(
    _ policy: TroublePolicy, _ names: WorldNames, isRestored: Bool
  ) -> [String: Set<String>?] {
    var unsent: [String: Set<String>?] = [:]
    for record in records {
      guard case .string(let uid) = names.value("uid", in: record.local) else { continue }
      let changes = record.changes.filter { change in
        change.state != .failed && (change.kind == .create || policy == .keepLocal)
      }
      if changes.isEmpty { continue }
      let isWhole = changes.contains { $0.kind == .create } || !isRestored
      unsent[uid] = isWhole ? .some(nil) : Set(changes.flatMap(\.fields).map(names.property))
    }
    return unsent
  }
}
