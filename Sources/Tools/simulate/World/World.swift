import SyncClient
import SyncCore

/// Devices, a network and a server, with one clock: everything happens one after the other, and all of it
/// follows from the seed.
final class World {
  /// How many events a world may have: one with more has no end.
  static let eventsMax = 40_000

  let options: WorldOptions
  let clock = WorldClock()
  let hall: ServerHall
  let trace: Trace
  var devices: [SimulatedDevice] = []
  var queue = EventQueue()
  var network: Network
  var random: SeededRandom
  var ledger = Ledger()
  var observer: Observer
  var exempt: Exemptions
  /// What somebody does about what has failed.
  var choices: SeededRandom
  /// Requests that were sent.
  var callCount = 0
  /// Requests on their way, or whose answers are.
  var travelling = 0
  /// Pushes that reached the server core.
  var pushCount = 0
  private var eventCount = 0
  /// Whether faults and work are over.
  var isQuiet = false
  var isPromoted = false
  /// What is known of a server that was put back, as long as somebody has not noticed it.
  var restoration = Restoration()

  init(_ options: WorldOptions, sabotage: SyncSabotage = [], keepsTrace: Bool = false) async throws
  {
    self.options = options
    trace = Trace(isKept: keepsTrace)
    hall = try await ServerHall(options, clock)
    observer = Observer(hall.names)
    exempt = Exemptions(options.profile)
    network = Network(options)
    random = RandomForks.source(options.seed, "world")
    choices = RandomForks.source(options.seed, "choices")
    for index in options.devices.indices {
      devices.append(try SimulatedDevice(index, options, clock, sabotage: sabotage))
    }
  }

  func fail(_ checker: String, _ message: String) -> SimulationFailure {
    trace.note(clock.now, nil, "FAILURE \(checker): \(message)")
    return SimulationFailure(
      checker: checker, message: message, time: clock.now - WorldClock.start)
  }

  func note(_ device: Int?, _ text: @autoclosure () -> String) {
    trace.note(clock.now - WorldClock.start, device, text())
  }

  /// Carries out events until `isDone`, or none are left.
  func run(until isDone: () -> Bool) async throws {
    while !isDone(), let (time, event) = queue.next() {
      eventCount += 1
      if eventCount > Self.eventsMax { throw fail("end", "there is no end") }
      clock.advance(to: time)
      try await carryOut(event)
    }
  }

  func add(_ event: Event, after delay: Int64) { queue.add(event, at: clock.now + delay) }
}

extension World {
  private func carryOut(_ event: Event) async throws {
    switch event {
    case .work(let device): try work(devices[device])
    case .wish(let device): try await wish(devices[device], .asked)
    case .hint(let device): try await wish(devices[device], .remoteChange)
    case .hintOfWork(let device): try await wish(devices[device], .localChange)
    case .resume(let device):
      if devices[device].isAlive { try await drive(devices[device], .resume) }
    case .timer(let device, let life, let number):
      let device = devices[device]
      guard device.life == life, device.timer == number else { return }
      try await drive(device, .timer)
    case .arrival(let letter): try await arrive(letter)
    case .answer(let device, let life, let number, let reply):
      try await take(reply, devices[device], life, number)
    case .kill(let device): kill(devices[device])
    case .upgrade(let device): try upgrade(devices[device])
    case .revive(let device): try await revive(devices[device])
    case .partition(let device, let end):
      if !isQuiet { devices[device].partitionedUntil = end }
      note(device, "offline until \(end - WorldClock.start)")
    case .restart:
      hall.restart()
      note(nil, "restarts")
    case .promote:
      guard !isPromoted else { return }
      isPromoted = true
      try await hall.promote(version: 2)
      note(nil, "has version 2 in production")
    case .lose(let loss): try await lose(loss)
    case .decide(let device): try await decide(devices[device])
    // What is left when all is quiet was decided then.
    case .choose(let choice): if !isQuiet { try choose(choice) }
    }
  }

  private func work(_ device: SimulatedDevice) throws {
    let acts = try device.worker.work(device.store)
    ledger.add(acts)
    note(device.index, "works: \(acts.map(\.shown).joined(separator: ", "))")
    if device.isAlive, device.options.isAutomatic {
      add(.hintOfWork(device: device.index), after: 0)
    }
  }

  private func wish(_ device: SimulatedDevice, _ wish: SyncMachine.Wish) async throws {
    guard device.isAlive else { return }
    note(device.index, "wants to sync: \(wish.rawValue)")
    try await drive(device, .wish(wish))
  }

  func kill(_ device: SimulatedDevice) {
    guard device.isAlive, !isQuiet else { return }
    note(device.index, "is killed")
    device.kill()
    add(.revive(device: device.index), after: random.milliseconds(10...120_000))
  }

  func revive(_ device: SimulatedDevice) async throws {
    guard !device.isAlive else { return }
    try device.start()
    note(device.index, "begins, life \(device.life)")
    add(.wish(device: device.index), after: random.milliseconds(0...5_000))
  }
}
