/// Hears of commits, in this process and, where the store watches them, in others, for as long as it is
/// kept alive.
///
/// ```swift
/// let listener = store.onCommit { changes in print(changes.author ?? "somebody") }
/// ```
public final class CommitListener: Sendable {
  private let inbox: ChangeInbox

  fileprivate init(_ store: Store, _ body: @escaping @Sendable (ChangeSet) -> Void) {
    let box = InboxBox()
    inbox = ChangeInbox { for changes in box.inbox?.takeAll() ?? [] { body(changes) } }
    box.inbox = inbox
    store.hub.add(inbox)
  }
}

/// Lets an inbox's own wake find it.
///
/// `@unchecked Sendable`: `inbox` is set once, before the inbox is handed to anybody who wakes it.
private final class InboxBox: @unchecked Sendable {
  weak var inbox: ChangeInbox?
}

extension Store {
  /// Calls `body` after each commit, on the thread that committed; it should be quick, and must not
  /// write to the store.
  public func onCommit(_ body: @escaping @Sendable (ChangeSet) -> Void) -> CommitListener {
    CommitListener(self, body)
  }
}
