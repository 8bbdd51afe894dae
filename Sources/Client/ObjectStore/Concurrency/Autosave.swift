/// Saves a context's changes once they have settled.
final class Autosave {
  /// How long nothing may change before a save.
  static let delay = Duration.milliseconds(50)
  /// How often a save is put off since there are still changes.
  static let delaysMax = 20

  private unowned let context: ModelContext
  /// Counts changes, to tell whether there were any meanwhile.
  private var changes = 0
  private var delays = 0
  private var isScheduled = false
  /// Whether a save is to come.
  var isWaiting: Bool { isScheduled }
  var isOn = true

  init(_ context: ModelContext) { self.context = context }

  @inline(__always)
  func noteChange() {
    changes &+= 1
    if !isScheduled { schedule() }
  }

  /// Keeps the context alive until its changes are saved: whoever drops it does not lose them.
  ///
  /// `@unchecked Sendable`: filled and emptied where the context is at home.
  private final class Kept: @unchecked Sendable {
    var context: ModelContext?

    init(_ context: ModelContext) { self.context = context }
  }

  private func schedule() {
    isScheduled = true
    let kept = Kept(context)
    let seen = changes
    context.handle.send(after: Self.delay) { context in
      kept.context = nil
      context.watcher?.autosave?.settle(seen)
    }
  }

  private func settle(_ seen: Int) {
    isScheduled = false
    guard isOn, context.hasChanges else { return }
    if changes != seen && delays < Self.delaysMax {
      delays += 1
      return schedule()
    }
    delays = 0
    do {
      try context.save()
    } catch {
      let failure = StoreError(unexpected: error, subject: "autosave")
      context.note(
        StoreError(
          .autosaveFailed, "autosave", "the changes could not be saved, and are kept",
          fix: "mend them; the next change or save() tries again", failures: [failure]))
      if context.staysForModels && context.owner == nil { context.letGoOfChanges() }
    }
  }
}

/// Tells undo, autosave and live results of every change.
///
/// A context has one only while one of them is on.
final class ChangeWatcher {
  var undo: UndoLog?
  var autosave: Autosave?
  var live: LiveChanges?

  var isNeeded: Bool { undo != nil || autosave != nil || live != nil }

  /// A slot of an object is about to change.
  func willChange(_ object: ManagedObject, _ slot: Int) {
    undo?.willChange(object, slot)
    live?.willChange(object)
    autosave?.noteChange()
  }

  /// An object was inserted, or its deletion was taken back.
  func didInsert(_ object: ManagedObject) {
    undo?.didInsert(object)
    live?.willChange(object)
    autosave?.noteChange()
  }

  /// An object is about to be marked as deleted.
  func willDelete(_ object: ManagedObject) {
    undo?.willDelete(object)
    live?.willChange(object)
    autosave?.noteChange()
  }

  /// `other` is about to enter or leave a relationship that has a table of pairs.
  func willPair(_ object: ManagedObject, _ slot: Int, _ other: ManagedObject) {
    undo?.willPair(object, slot, other)
    live?.willChange(object)
    live?.willChange(other)
    autosave?.noteChange()
  }

  /// The members of such a relationship are about to be put into another order.
  func willReorder(_ object: ManagedObject, _ slot: Int) {
    undo?.willReorder(object, slot)
    live?.willChange(object)
    autosave?.noteChange()
  }

  func willSave() { undo?.endTurn() }
  func didRollBack() {
    undo?.removeAll()
    live?.didRollBack()
  }
}

extension ModelContext {
  /// Whether changes are saved by themselves, soon after the last of them; off at first.
  ///
  /// It needs a context that is at home on an actor or belongs to a `BackgroundContext`; on any other it
  /// stays off, and a problem is noted. A save that fails is noted in `problems` and told to
  /// `onProblem`; the changes are kept, and saved with the next ones. Changes that wait keep the context
  /// alive until they are saved.
  public var autosaveEnabled: Bool {
    get { watcher?.autosave != nil }
    set {
      if newValue == autosaveEnabled { return }
      if newValue && !handle.isReachable {
        return note(
          StoreError(
            .noIsolation, "autosave", "the context was made without isolation",
            fix: "make it on an actor, confine it to one, or use a BackgroundContext"))
      }
      watcher?.autosave?.isOn = false
      watch { $0.autosave = newValue ? Autosave(self) : nil }
      if newValue && hasChanges { watcher?.autosave?.noteChange() }
    }
  }

  /// What undoes and redoes changes; nil, as it is at first, keeps no record.
  public var undoLog: UndoLog? {
    get { watcher?.undo }
    set {
      watcher?.undo?.context = nil
      newValue?.context = self
      watch { $0.undo = newValue }
    }
  }

  func watch(_ change: (ChangeWatcher) -> Void) {
    let watcher = watcher ?? ChangeWatcher()
    change(watcher)
    self.watcher = watcher.isNeeded ? watcher : nil
  }
}
