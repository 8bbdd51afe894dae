import RecordWire
import SyncClient
import SyncCore

extension World {
  /// Tells a device's machine what happened, and does what it wants.
  func drive(_ device: SimulatedDevice, _ input: SyncMachine.Input) async throws {
    var inputs = [input]
    while let next = inputs.first, device.isAlive {
      inputs.removeFirst()
      for action in device.machine.handle(next, now: device.now) {
        guard device.isAlive, !mayKill(device) else { return }
        if let result = try await carryOut(action, device) { inputs.append(.result(result)) }
      }
    }
  }

  /// Ends the process between two steps, now and then.
  private func mayKill(_ device: SimulatedDevice) -> Bool {
    guard !isQuiet, random.chance(options.faults.kill) else { return false }
    kill(device)
    return true
  }

  private func carryOut(
    _ action: SyncMachine.Action, _ device: SimulatedDevice
  ) async throws -> StepResult? {
    switch action {
    case .carryOut(let step): return try begin(step, device)
    case .wake(let time):
      device.timer += 1
      guard let time else { return nil }
      add(
        .timer(device: device.index, life: device.life, number: device.timer),
        after: max(0, time - device.now))
    case .finish(let end): try await finish(end, device)
    }
    return nil
  }

  private func begin(_ step: SyncStep, _ device: SimulatedDevice) throws -> StepResult? {
    guard let session = device.session else { return nil }
    let trouble = step == .resolve ? try SyncStatus.read(device.store).trouble : nil
    // Also where the server has them, and this device was given no answer that it could read.
    if step == .pull, !session.has("tombstones"), try session.readsAllAnew {
      exempt.noteRefetch(by: device.index)
    }
    let work = try session.begin(step, now: device.now)
    takeReports(device)
    if let trouble { try noteDecision(device, trouble) }
    switch work {
    case .done(let result):
      note(device.index, "\(step.rawValue): \(result.shown)")
      return result
    case .call(let call):
      send(call, step, device)
      // Not always: answers may come sooner than there is time for anything.
      if !callCount.isMultiple(of: 3) {
        try session.work(now: device.now)
        takeReports(device)
      }
      return nil
    }
  }

  private func send(_ call: SyncCall, _ step: SyncStep, _ device: SimulatedDevice) {
    callCount += 1
    device.open = (callCount, step, call.replyFile)
    note(device.index, "\(step.rawValue) #\(callCount) \(call.path), \(call.body.count) bytes")
    if trace.isKept { trace.explain(call.operations) }
    let giveUp = Event.answer(
      device: device.index, life: device.life, call: callCount, nil)
    guard device.partitionedUntil <= clock.now, let call = call.carryingFile else {
      return add(giveUp, after: Network.refusal)
    }
    let letter = Letter(
      device: device.index, life: device.life, number: callCount, call: call, fate: .unanswered)
    for arrival in network.route(letter, at: clock.now).arrivals {
      travelling += 1
      queue.add(.arrival(arrival.letter), at: arrival.at)
    }
    add(giveUp, after: Network.timeout)
  }

  /// A request is at the server.
  func arrive(_ letter: Letter) async throws {
    travelling -= 1
    if case .forged(let forgery, let delay) = letter.fate, !letter.isStray {
      note(nil, "refuses #\(letter.number): \(forgery.shown)")
      return answer(letter, forgery.reply(to: letter.call), after: delay)
    }
    let isStray = letter.isStray || !isAwaited(letter)
    if isStray { exempt.note(letter) }
    if restoration.isVoid(letter.number) { exempt.noteRepeated(letter) }
    try await keepNoticeable(letter)
    let reply = await hall.answer(letter.call)
    note(nil, "answers \(isStray ? "stray " : "")#\(letter.number): \(reply.status)")
    if letter.call.path == "changes/zone" { restoration.readers.insert(letter.device) }
    if letter.call.path == "records/modify" {
      restoration.pushers.insert(letter.device)
      exempt.noteCreations(letter)
      try await didPush(letter.device)
    }
    switch letter.fate {
    case .answered(let delay): answer(letter, reply, after: delay)
    case .truncated(let place, let delay):
      var broken = reply
      broken.body =
        letter.call.isFile(place)
        ? broken.body.bent(at: place)
        : Array(broken.body.prefix(broken.body.count * place / 1_000))
      answer(letter, broken, after: delay)
    case .hidden(let forgery, let delay):
      answer(letter, forgery.reply(to: letter.call), after: delay)
    case .unanswered, .forged: break
    }
  }

  /// Whether the sender has not given up yet.
  private func isAwaited(_ letter: Letter) -> Bool {
    let device = devices[letter.device]
    return device.life == letter.life && device.open?.number == letter.number
  }

  private func answer(_ letter: Letter, _ reply: SyncReply, after delay: Int64) {
    add(
      .answer(device: letter.device, life: letter.life, call: letter.number, reply), after: delay)
  }

  /// The server may have other records now.
  private func didPush(_ sender: Int) async throws {
    pushCount += 1
    try await observer.read(hall)
    if let name = observer.risen.first(where: { !exempt.mayRise($0) }) {
      throw fail("resurrection", "\(name) was deleted, and is there again")
    }
    guard !isQuiet else { return }
    for device in devices where device.index != sender && random.chance(500) {
      add(.hint(device: device.index), after: random.milliseconds(1...2_000))
    }
  }

  /// An answer is at a device, or the time is up.
  func take(
    _ reply: SyncReply?, _ device: SimulatedDevice, _ life: Int, _ number: Int
  ) async throws {
    guard device.life == life, let session = device.session, let open = device.open,
      open.number == number
    else { return }
    if reply != nil, device.partitionedUntil > clock.now || restoration.isVoid(number) { return }
    guard !mayKill(device) else { return }
    device.open = nil
    let result: StepResult
    do {
      result = try session.finish(
        open.step,
        reply.map { .success(try $0.landing(in: open.replyFile)) }
          ?? .failure(TransportFailure("no answer")),
        now: device.now)
    } catch let error as SyncError where error.code == .badAnswer {
      result = .broken("\(error)")
    }
    takeReports(device)
    note(device.index, "\(open.step.rawValue) #\(number): \(result.shown)")
    guard !mayKill(device) else { return }
    try await drive(device, .result(result))
  }

  func takeReports(_ device: SimulatedDevice) {
    for report in device.session?.takeReports() ?? [] {
      note(device.index, "tells \(report.shown)")
      exempt.note(report)
      if case .fate(let fate) = report, case .failed = fate.outcome { planChoice(device) }
    }
  }

  private func finish(_ end: SyncMachine.PassEnd, _ device: SimulatedDevice) async throws {
    device.lastEnd = end
    note(device.index, "ends: \(end.shown)")
    try check(device, end)
    switch end.outcome {
    case .trouble where options.hasLosses && device.options.decidesLater && !isQuiet:
      add(.decide(device: device.index), after: random.milliseconds(1_000...120_000))
    case .trouble, .signIn, .refused, .broken:
      if !isQuiet {
        add(.resume(device: device.index), after: random.milliseconds(1_000...120_000))
      }
    case .complete, .unfinished, .unreachable, .stopped: break
    }
  }
}

extension SyncCall {
  /// Whether a file is fetched, and what breaks it at this place is one of its bytes.
  fileprivate func isFile(_ place: Int) -> Bool { path == "assets/file" && place.isMultiple(of: 2) }
}

extension [UInt8] {
  /// The bytes, one of which is another at this thousandth.
  fileprivate func bent(at place: Int) -> [UInt8] {
    guard !isEmpty else { return self }
    var bytes = self
    bytes[count * place / 1_000] ^= 1
    return bytes
  }
}
