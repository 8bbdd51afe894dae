internal import Synchronization

/// Where a context and its objects may be touched.
enum ContextHome: Sendable {
  /// Where it was made; nobody can be sent there.
  case none
  /// On an actor.
  case actor(WeakActor)
  /// On an executor of its own.
  case executor(ContextExecutor)

  /// An actor that a context does not keep alive: the actor usually keeps the context.
  final class WeakActor: @unchecked Sendable {
    // A weak reference is read atomically, and never set again.
    weak var actor: (any Actor)?

    init(_ actor: any Actor) { self.actor = actor }
  }
}

/// What may be held anywhere of a context that may be touched in one place only: a way to send work
/// there.
///
/// `@unchecked Sendable`: `context` is set once, before anyone else has the handle, and read only where
/// the context is at home.
final class ContextHandle: @unchecked Sendable {
  weak var context: ModelContext?
  private let place: Mutex<ContextHome>

  init(_ home: ContextHome) { place = Mutex(home) }

  var home: ContextHome {
    get { place.withLock { $0 } }
    set { place.withLock { $0 = newValue } }
  }

  /// Whether work can be sent.
  var isReachable: Bool {
    if case .none = home { return false }
    return true
  }

  /// Does `work` where the context is at home, soon or after `delay`, if the context still lives then.
  func send(after delay: Duration? = nil, _ work: @escaping @Sendable (ModelContext) -> Void) {
    switch home {
    case .none: return
    case .executor(let executor):
      executor.submit(after: delay) { [self] in
        if let context { work(context) }
      }
    case .actor(let weak):
      guard let actor = weak.actor else { return }
      if delay == nil, actor === MainActor.shared {
        // Put into the main actor's queue from here, it is done before whatever is put there later: who
        // awaits a save of another context finds it in the main context.
        Task { @MainActor [self] in
          if let context { work(context) }
        }
        return
      }
      Task { [self] in
        if let delay { try? await Task.sleep(for: delay) }
        await run(on: actor, work)
      }
    }
  }

  private func run(
    on actor: isolated any Actor, _ work: @Sendable (ModelContext) -> Void
  ) {
    if let context { work(context) }
  }
}

extension ModelContext {
  /// Tells a context that was made without isolation where it is at home, so that it can take in what
  /// others commit and save by itself.
  ///
  /// An actor's initializer has no isolation yet: a context made there is told by its first method.
  public func confine(to actor: isolated any Actor) {
    handle.home = .actor(ContextHome.WeakActor(actor))
    receiveChanges()
  }
}

extension ModelContext {
  /// Makes a context over `store` that is at home on an executor.
  public convenience init(_ store: Store, on executor: ContextExecutor) {
    self.init(store, home: .executor(executor))
  }

  /// Tells a context that nobody else uses yet that it is at home on an executor.
  public func confine(to executor: ContextExecutor) { handle.home = .executor(executor) }
}

@available(*, unavailable, message: "a context stays where it was made; use BackgroundContext")
extension ModelContext: @unchecked Sendable {}

@available(*, unavailable, message: "send the object's identity or its snapshot()")
extension ManagedObject: @unchecked Sendable {}
