import ObjectStore
import SyncClient
import SyncCore

// Somebody who looks at what has failed, with a program of its own beside the one that syncs.
extension World {
  /// Somebody may look at it soon, or when more has happened.
  func planChoice(_ device: SimulatedDevice) {
    guard options.features.contains(.choices), !isQuiet, choices.chance(700) else { return }
    let choice = FailureChoice(device.index, &choices)
    add(.choose(choice), after: choices.milliseconds(1...300_000))
  }

  /// What is left of it when all is over, in half of the worlds.
  func chooseAtLast() throws {
    guard options.features.contains(.choices) else { return }
    for device in devices where choices.chance(500) {
      var choice = FailureChoice(device.index, &choices)
      choice.place = nil
      try choose(choice)
    }
  }

  func choose(_ choice: FailureChoice) throws {
    let device = devices[choice.device]
    let failed = try device.inspection()?.records.filter(\.hasFailed) ?? []
    if failed.isEmpty { return }
    let meant = choice.place.map { [failed[$0 % failed.count]] } ?? failed
    var choice = choice
    // What was refused is there to be sent: nobody makes that anew.
    if choice.kind == .recreate, !meant.contains(where: \.isLostElsewhere) {
      choice.kind = .discard
    }
    note(device.index, "chooses to \(choice.kind.rawValue): \(meant.map(\.name))")
    let names = choice.place.map { _ in Set(meant.map(\.name)) }
    let time = device.now
    let environment = SyncEnvironment(now: { time }, random: SeededRandom(seed: choice.seed))
    let count =
      switch choice.kind {
      case .retry: try device.store.retryFailedChanges(of: names)
      case .recreate:
        try device.store.recreateFailedChanges(of: names, environment: environment)
      case .discard: try device.store.discardFailedChanges(of: names, environment: environment)
      }
    note(device.index, "chose for \(count)")
    guard let after = try device.inspection() else { return }
    exempt.note(choice.kind, of: meant, by: device.index, after: after)
  }
}
