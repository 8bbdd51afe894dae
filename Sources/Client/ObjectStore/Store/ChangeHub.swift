import Synchronization

/// Hands each commit to everyone who listens, in the order of the commits.
///
/// Handing over is appending to a list and waking the listener up: no code of a listener runs under a
/// lock of the store.
final class ChangeHub: Sendable {
  private let inboxes = Mutex<[WeakInbox]>([])

  private struct WeakInbox: Sendable {
    /// Which one it is, as long as it is there: the one who commits is told apart without being held.
    let identity: ObjectIdentifier
    weak var inbox: ChangeInbox?

    init(_ inbox: ChangeInbox) {
      identity = ObjectIdentifier(inbox)
      self.inbox = inbox
    }
  }

  /// Begins to hand changes to `inbox`, for as long as it is kept alive.
  func add(_ inbox: ChangeInbox) {
    var met: [ChangeInbox] = []
    inboxes.withLock { inboxes in
      met = inboxes.compactMap(\.inbox)
      inboxes = (met + [inbox]).map(WeakInbox.init)
    }
    // What was met may have nobody else by now, and goes here, where no lock is held.
    met = []
  }

  /// Hands `changes` to everyone, and to the context that made them only when it wants to hear of its
  /// own; returns what to finish once no lock is held.
  func deliver(_ changes: ChangeSet, from context: ModelContext?) -> [Delivery] {
    let own = context?.inbox
    if let own, own.wantsOwn { own.putOwn(changes) }
    let ownIdentity = own.map(ObjectIdentifier.init)
    let others = inboxes.withLock { inboxes in
      inboxes.compactMap { $0.identity == ownIdentity ? nil : $0.inbox }
    }
    return others.map { Delivery(inbox: $0, isFirst: $0.put(changes)) }
  }
}

/// A change that lies in somebody's inbox.
///
/// It may be the last to hold the inbox, and with it what its owner's closure holds: whoever gets it lets go
/// of it, too, where no lock is held.
struct Delivery: Sendable {
  fileprivate let inbox: ChangeInbox
  fileprivate let isFirst: Bool

  /// Wakes the listener up, if it was not woken yet.
  func finish() { if isFirst { inbox.wake?() } }
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
  fileprivate let wake: Wake?

  /// `wake` is called, from any thread, when something arrives that the listener was not woken for yet.
  init(wake: Wake? = nil) { self.wake = wake }

  /// Whether the listener wants to hear of what it did itself.
  var wantsOwn: Bool {
    get { waiting.withLock { $0.wantsOwn } }
    set { waiting.withLock { $0.wantsOwn = newValue } }
  }

  /// Whether something waits that others did.
  var hasOthers: Bool { hasOthers { _ in true } }

  /// Whether something waits that others did and that may have deleted objects.
  var mayHaveDeletions: Bool { hasOthers { $0.isUnknown || !$0.deletions.isEmpty } }

  private func hasOthers(_ isMeant: (ChangeSet) -> Bool) -> Bool {
    waiting.withLock { $0.changes.contains { $0.origin != .thisContext && isMeant($0) } }
  }

  /// Takes changes in; whether the listener has to be woken up.
  func put(_ changes: ChangeSet) -> Bool {
    waiting.withLock { waiting in
      waiting.append(changes)
      defer { waiting.isWoken = true }
      return !waiting.isWoken
    }
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
