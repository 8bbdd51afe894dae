import SyncClient
import SyncCore

extension World {
  /// How often everybody may sync, after all faults, until all are the same.
  static let roundsMax = 24
  /// How long a round takes, so that whatever was put off is due, in milliseconds.
  static let roundTime: Int64 = 1_200_000

  /// Runs the world to its end; throws what a checker finds.
  func live() async throws {
    try begin()
    plan()
    try await run(until: { clock.now >= WorldClock.start + options.span })
    try await calm()
    try await settle()
    try await checkQuiet()
  }

  private func begin() throws {
    for device in devices { try device.start() }
    if let first = devices.first {
      let acts = try first.worker.begin(first.store)
      ledger.add(acts)
      note(0, "begins with: \(acts.map(\.shown).joined(separator: ", "))")
    }
    for device in devices {
      add(.wish(device: device.index), after: random.milliseconds(0...20_000))
    }
  }

  /// Draws when people work, and when things happen that do not follow from others.
  private func plan() {
    for _ in 0..<options.transactions {
      add(.work(device: random.int(0...devices.count - 1)), after: moment())
    }
    for device in devices where !device.options.isAutomatic {
      for _ in 0..<random.int(2...8) { add(.wish(device: device.index), after: moment()) }
    }
    for _ in 0..<options.faults.partitions {
      let start = moment()
      add(
        .partition(
          device: random.int(0...devices.count - 1),
          until: clock.now + start + random.milliseconds(10_000...600_000)), after: start)
    }
    for _ in 0..<options.faults.restarts { add(.restart, after: moment()) }
    if options.features.contains(.promotion), random.chance(700) {
      add(.promote, after: moment())
    }
    planLosses()
    planUpgrades()
  }

  private func moment() -> Int64 { random.milliseconds(0...options.span) }

  /// Faults and work end; what is on its way arrives.
  private func calm() async throws {
    note(nil, "calm")
    isQuiet = true
    network.calm()
    for device in devices { device.partitionedUntil = 0 }
    if options.features.contains(.promotion) { try await promoteAtLast() }
    try await run(until: { travelling == 0 })
    for device in devices where !device.isAlive { try device.start() }
    try chooseAtLast()
  }

  private func promoteAtLast() async throws {
    guard !isPromoted else { return }
    isPromoted = true
    try await hall.promote(version: 2)
  }

  /// Everybody syncs until nothing moves any more.
  private func settle() async throws {
    for round in 1...Self.roundsMax {
      note(nil, "round \(round)")
      let before = observer.token
      for device in devices { try await pass(device) }
      try await observer.read(hall)
      let isSettled = try devices.allSatisfy { try $0.isSettled }
      if before == observer.token && isSettled { return }
      // A server that is put back lacks again what was promoted, so that it is tried less and less often.
      let factor = options.features.contains(.restores) ? Int64(round) : 1
      clock.advance(to: clock.now + factor * Self.roundTime)
      // Some begin anew, as programs do.
      for device in devices where random.chance(300) {
        device.kill()
        try device.start()
      }
    }
    let stuck = try devices.compactMap { try $0.stuck }
    throw fail("rest", "no rest after \(Self.roundsMax) rounds: \(stuck.joined(separator: "; "))")
  }

  /// A whole pass of one device.
  func pass(_ device: SimulatedDevice) async throws {
    try await run(until: { !device.machine.isRunning })
    device.lastEnd = nil
    for _ in 0..<8 {
      try await wishAndWait(device)
      switch device.lastEnd?.outcome {
      case .complete, .stopped, nil: return
      case .trouble: try decideAtOnce(device)
      case .unfinished, .unreachable, .signIn, .refused, .broken: continue
      }
    }
    throw fail("rest", "device \(device.index) ends \(device.lastEnd.map(\.shown) ?? "never")")
  }

  private func wishAndWait(_ device: SimulatedDevice) async throws {
    device.lastEnd = nil
    note(device.index, "wants to sync: quiet")
    try await drive(device, .wish(.asked))
    try await run(until: { device.lastEnd != nil })
  }
}

extension SimulatedDevice {
  /// Whether nothing is left to be sent.
  var isSettled: Bool {
    get throws { try stuck == nil }
  }

  /// What is left to be sent, in words; nil for nothing.
  var stuck: String? {
    get throws {
      guard let inspection = try session?.inspection() else { return nil }
      let left =
        inspection.records.flatMap { record in
          record.changes.filter { $0.state != .failed }.map {
            "\(record.type) \(record.name) \($0.state.rawValue) \($0.fields) \($0.code ?? "")"
          }
        }
        + inspection.records.flatMap { record in
          record.awaited.map { "\(record.type) \(record.name) waits for the file of \($0)" }
        }
      return left.isEmpty ? nil : "device \(index): " + left.joined(separator: ", ")
    }
  }
}
