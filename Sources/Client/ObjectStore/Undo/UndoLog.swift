/// What was changed in a context, so that it can be undone and redone, group by group.
///
/// ```swift
/// context.undoLog = UndoLog()
/// try entry.setValue("remarks", .string("smooth"))
/// try context.undoLog?.undo()
/// ```
///
/// A group holds what changed between `beginGroup` and `endGroup`, or else until the next save, undo or,
/// on an actor or an executor, the end of the turn. Undoing makes changes like any others: after a save
/// they have to be saved again. What a save has deleted comes back as a new object of the store, with a
/// new identity. `rollback()` empties the log.
public final class UndoLog {
  /// How many groups can be undone; the oldest are forgotten.
  public var levelsMax: Int { didSet { forgetOldest() } }

  /// The context whose changes these are.
  public internal(set) weak var context: ModelContext?
  /// Whether changes are kept; those that are made while they are not cannot be undone.
  public var isEnabled = true
  private let numbers: UndoNumbers
  private var undoGroups: [UndoGroup] = []
  private var redoGroups: [UndoGroup] = []
  /// The group that takes what changes now.
  private var open: UndoGroup?
  /// How many calls of `beginGroup` have no `endGroup` yet.
  private var depth = 0
  private var mode = Mode.recording

  private enum Mode {
    case recording, undoing, redoing
  }

  /// How many groups can be undone unless told otherwise.
  public static let usualLevelsMax = 100

  /// Makes an empty log, for `ModelContext.undoLog`.
  public init(levelsMax: Int = usualLevelsMax, numbers: UndoNumbers = UndoNumbers()) {
    self.levelsMax = levelsMax
    self.numbers = numbers
    numbers.add(self)
  }

  /// Whether there is anything to undo.
  public var canUndo: Bool { !undoGroups.isEmpty || open?.isEmpty == false }
  /// Whether there is anything to redo.
  public var canRedo: Bool { !redoGroups.isEmpty }
  /// How many groups can be undone, the open one among them.
  public var undoCount: Int { undoGroups.count + (open?.isEmpty == false ? 1 : 0) }
  /// Whether changes go into a group that has begun already.
  public var isGroupOpen: Bool { open != nil }
  /// The name of the group that `undo()` undoes.
  public var undoName: String? { (open?.isEmpty == false ? open : undoGroups.last)?.name }
  /// The name of the group that `redo()` redoes.
  public var redoName: String? { redoGroups.last?.name }

  /// The number of the group that `undo()` undoes.
  public var undoNumber: Int? { (open?.isEmpty == false ? open : undoGroups.last)?.number }
  /// The number of the group that `redo()` redoes.
  public var redoNumber: Int? { redoGroups.last?.number }
  var openNumber: Int? { open?.number }
  /// The group that takes what changes now, or else the one that did last.
  var current: UndoGroup? { open ?? undoGroups.last }

  /// Begins a group, which takes all changes until its `endGroup()`.
  ///
  /// Groups within a group are one with it.
  public func beginGroup(_ name: String? = nil) {
    if depth == 0 {
      close()
      open = newGroup(name)
    }
    depth += 1
  }

  /// Ends what `beginGroup` has begun; without one it ends the group of this turn.
  public func endGroup() {
    depth = max(0, depth - 1)
    if depth == 0 { close() }
  }

  /// Undoes the last group, ending the one that is open; false when there is none.
  @discardableResult
  public func undo() throws(StoreError) -> Bool {
    try replay(.undoing)
  }

  /// Does again what was undone last; false when there is nothing, also after any other change.
  @discardableResult
  public func redo() throws(StoreError) -> Bool {
    try replay(.redoing)
  }

  /// Has `handler` called with `target` when the group is undone that takes changes now; what is registered
  /// meanwhile is done when that is redone.
  ///
  /// The target is not kept alive, and nothing is done once it is gone.
  public func register<Target: AnyObject>(
    _ target: Target, _ handler: @escaping (Target) -> Void
  ) {
    group()?.note(
      UndoAction(target: target) { [weak target] in
        if let target { handler(target) }
      })
  }

  /// Forgets what was registered with `target`.
  public func removeAll(of target: AnyObject) {
    for group in undoGroups + redoGroups + (open.map { [$0] } ?? []) {
      group.forgetActions(of: target)
    }
    undoGroups.removeAll(where: \.isEmpty)
    redoGroups.removeAll(where: \.isEmpty)
  }

  /// Forgets everything.
  public func removeAll() {
    undoGroups = []
    redoGroups = []
    open = nil
    depth = 0
  }
}

extension UndoLog {
  /// Ends the group of this turn, unless it was begun explicitly.
  func endTurn() {
    if depth == 0 && mode == .recording { close() }
  }

  private func newGroup(_ name: String?) -> UndoGroup {
    UndoGroup(number: numbers.next, name: name)
  }

  private func close() {
    guard let group = open else { return }
    open = nil
    if group.isEmpty { return }
    undoGroups.append(group)
    forgetOldest()
  }

  private func forgetOldest() {
    let excess = undoGroups.count - max(0, levelsMax)
    if excess > 0 { numbers.forget(upTo: undoGroups[excess - 1].number) }
  }

  func forget(upTo number: Int) { undoGroups.removeAll { $0.number <= number } }
  func forgetRedo() { redoGroups = [] }

  private func replay(_ mode: Mode) throws(StoreError) -> Bool {
    guard self.mode == .recording else { return false }
    depth = 0
    close()
    guard let next = mode == .undoing ? undoGroups.last : redoGroups.last,
      context != nil || !next.actions.isEmpty
    else { return false }
    if mode == .undoing { undoGroups.removeLast() } else { redoGroups.removeLast() }
    let counter = newGroup(next.name)
    self.mode = mode
    open = counter
    defer {
      open = nil
      self.mode = .recording
      if counter.isEmpty && !next.hasChanges && !next.actions.isEmpty {
        // Nobody said how to take it back.
      } else if mode == .undoing {
        redoGroups.append(counter)
      } else {
        undoGroups.append(counter)
      }
    }
    if let context { try next.replay(in: context) }
    next.runActions()
    return true
  }

  /// The group that takes a change now.
  private func group() -> UndoGroup? {
    guard isEnabled || mode != .recording else { return nil }
    if mode == .recording, open?.isEmpty ?? true { numbers.forgetRedo() }
    if let open { return open }
    let group = newGroup(numbers.takeName())
    open = group
    let number = group.number
    context?.handle.send { context in
      context.watcher?.undo?.endTurn(of: number)
    }
    return group
  }

  private func endTurn(of number: Int) {
    if open?.number == number { endTurn() }
  }

  func willChange(_ object: ManagedObject, _ slot: Int) {
    guard object.isUsable else { return }
    group()?.noteSlot(object, slot)
  }

  func didInsert(_ object: ManagedObject) { group()?.noteInserted(object) }

  func willDelete(_ object: ManagedObject) { group()?.noteDeleted(object) }

  func willPair(_ object: ManagedObject, _ slot: Int, _ other: ManagedObject) {
    group()?.notePair(object, slot, other)
  }

  func willReorder(_ object: ManagedObject, _ slot: Int) { group()?.noteList(object, slot) }
}
