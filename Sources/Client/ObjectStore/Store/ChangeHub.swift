import Synchronization

/// Hands each commit to everyone who listens, in the order of the commits.
///
/// Handing over is appending to a list and waking the listener up: no code of a listener runs under a
/// lock of the store.
final class ChangeHub: Sendable {
  private let inboxes = Mutex<[WeakInbox]>([])

  private struct WeakInbox: Sendable {
    weak var inbox: ChangeInbox?
  }

  /// Begins to hand changes to `inbox`, for as long as it is kept alive.
  func add(_ inbox: ChangeInbox) {
    inboxes.withLock { inboxes in
      inboxes.removeAll { $0.inbox == nil }
      inboxes.append(WeakInbox(inbox: inbox))
    }
  }

  /// Hands `changes` to everyone but the context that made them; returns whom to wake up, once no lock
  /// is held.
  func deliver(_ changes: ChangeSet, from context: ModelContext?) -> [ChangeInbox.Wake] {
    let listening = inboxes.withLock { $0.compactMap(\.inbox) }
    let own = context?.inbox
    return listening.compactMap { $0 === own ? nil : $0.put(changes) }
  }
}

/// The changes that one listener has not looked at yet.
final class ChangeInbox: Sendable {
  private let waiting = Mutex<[ChangeSet]>([])
  private let wake: Wake?

  /// What wakes a listener up.
  typealias Wake = @Sendable () -> Void

  /// `wake` is called, from any thread, when something arrives while nothing waits.
  init(wake: Wake? = nil) { self.wake = wake }

  /// Takes changes in; returns what wakes the listener up, if it has to be.
  func put(_ changes: ChangeSet) -> Wake? {
    let isFirst = waiting.withLock { waiting in
      waiting.append(changes)
      return waiting.count == 1
    }
    return isFirst ? wake : nil
  }

  /// Takes out what has arrived.
  func takeAll() -> [ChangeSet] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
