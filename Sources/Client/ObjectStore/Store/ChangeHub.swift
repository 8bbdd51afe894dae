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

  /// Hands `changes` to everyone, and to the context that made them only when it wants to hear of its
  /// own; returns whom to wake up, once no lock is held.
  func deliver(_ changes: ChangeSet, from context: ModelContext?) -> [ChangeInbox.Wake] {
    let listening = inboxes.withLock { $0.compactMap(\.inbox) }
    let own = context?.inbox
    if let own, own.wantsOwn { own.putOwn(changes) }
    return listening.compactMap { $0 === own ? nil : $0.put(changes) }
  }
}

/// The changes that one listener has not looked at yet.
final class ChangeInbox: Sendable {
  /// What wakes a listener up.
  typealias Wake = @Sendable () -> Void

  /// How many transactions wait for a listener that does not look; then they become one of which no
  /// more is known than that everything may have changed.
  static let waitingMax = 4096

  private struct Waiting: Sendable {
    var changes: [ChangeSet] = []
    var isWoken = false
    var wantsOwn = false

    mutating func append(_ new: ChangeSet) {
      if changes.count >= ChangeInbox.waitingMax {
        var unknown = ChangeSet(transaction: new.transaction, author: nil)
        unknown.isUnknown = true
        changes = [unknown]
      } else {
        changes.append(new)
      }
    }
  }

  private let waiting = Mutex(Waiting())
  private let wake: Wake?

  /// `wake` is called, from any thread, when something arrives that the listener was not woken for yet.
  init(wake: Wake? = nil) { self.wake = wake }

  /// Whether the listener wants to hear of what it did itself.
  var wantsOwn: Bool {
    get { waiting.withLock { $0.wantsOwn } }
    set { waiting.withLock { $0.wantsOwn = newValue } }
  }

  /// Takes changes in; returns what wakes the listener up, if it has to be.
  func put(_ changes: ChangeSet) -> Wake? {
    let isFirst = waiting.withLock { waiting in
      waiting.append(changes)
      defer { waiting.isWoken = true }
      return !waiting.isWoken
    }
    return isFirst ? wake : nil
  }

  /// Puts in what the listener did itself: it looks once it is done, without being woken.
  func putOwn(_ changes: ChangeSet) {
    var changes = changes
    changes.origin = .thisContext
    waiting.withLock { [changes] in $0.append(changes) }
  }

  /// Takes out what has arrived.
  func takeAll() -> [ChangeSet] {
    waiting.withLock { waiting in
      waiting.isWoken = false
      if waiting.changes.isEmpty { return [] }
      defer { waiting.changes = [] }
      return waiting.changes
    }
  }
}
