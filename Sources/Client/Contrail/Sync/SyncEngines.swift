import SyncClient
import Synchronization

/// The engines of a container's stores: one for each, for as long as somebody holds it, or from its start until it is
/// stopped.
final class SyncEngines: Sendable {
  private let known = Mutex<[Int: Held]>([:])

  private struct Held {
    weak var engine: SyncEngine?
  }

  /// The engine of a store; `make` gives it, and gets the one that is there and was not stopped.
  func engine(
    _ place: Int, _ make: (SyncEngine?) throws -> SyncEngine
  ) rethrows -> SyncEngine {
    try known.withLock { known in
      let existing = known[place]?.engine.flatMap { $0.isStopped ? nil : $0 }
      let engine = try make(existing)
      known[place] = Held(engine: engine)
      return engine
    }
  }

  /// The configurations' places that have engines.
  var places: [Int] {
    known.withLock { known in
      known.filter { $0.value.engine?.isStopped == false }.map(\.key).sorted()
    }
  }
}
