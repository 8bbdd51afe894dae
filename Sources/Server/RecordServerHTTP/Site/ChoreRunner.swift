import RecordServer
import Synchronization

/// Fills indexes and removes what is left of deleted zones in the background, one run at a time.
final class ChoreRunner: Sendable {
  private enum State {
    case idle
    case running
    /// Something came while it ran: it has to look once more.
    case runningAgain
  }

  private let state = Mutex(State.idle)

  /// Makes sure that a service is looked at after this moment.
  func poke(_ service: RecordService) {
    let isIdle = state.withLock { state in
      defer { state = state == .idle ? .running : .runningAgain }
      return state == .idle
    }
    if isIdle { Task { await run(service) } }
  }

  private func run(_ service: RecordService) async {
    repeat {
      // What fails now is tried again by the next poke, and at the next start.
      try? await service.fillIndexes()
      try? await service.dropRemains()
    } while isAskedAgain()
  }

  private func isAskedAgain() -> Bool {
    state.withLock { state in
      defer { state = state == .runningAgain ? .running : .idle }
      return state == .runningAgain
    }
  }
}

/// A service that is known once it is made: it tells of its own indexes.
final class LateService: Sendable {
  private struct Held: Sendable { weak var service: RecordService? }

  private let held = Mutex(Held())

  var service: RecordService? { held.withLock { $0.service } }
  func set(_ service: RecordService) { held.withLock { $0.service = service } }
}
