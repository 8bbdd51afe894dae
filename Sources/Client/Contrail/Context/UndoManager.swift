public import Foundation
import ObjectStore

/// Undoes and redoes the changes of a context; Foundation on Linux has none.
///
/// ```swift
/// context.undoManager = UndoManager()
/// trip.name = "Roma"
/// context.undoManager?.undo()
/// ```
///
/// What is changed between two saves is undone together, unless groups say otherwise.
public final class UndoManager {
  /// The records of the stores that the context has changed.
  private var logs: [UndoLog] = []
  private let numbers = UndoNumbers()
  /// The record that is being undone or redone.
  private var replaying: UndoLog?
  private var levels = 0
  private var disabled = 0

  /// Makes a manager that keeps as many groups as is usual.
  public init() {}

  /// How many groups are kept; 0 is the usual number.
  public var levelsOfUndo: Int {
    get { levels }
    set {
      levels = max(0, newValue)
      for log in logs { log.levelsMax = levels == 0 ? UndoLog.usualLevelsMax : levels }
    }
  }

  /// Whether there is anything to undo.
  public var canUndo: Bool { logs.contains(where: \.canUndo) }
  /// Whether there is anything to redo.
  public var canRedo: Bool { logs.contains(where: \.canRedo) }
  /// Whether `undo()` is at work.
  public private(set) var isUndoing = false
  /// Whether `redo()` is at work.
  public private(set) var isRedoing = false
  /// The name of what is undone next.
  public var undoActionName: String {
    logs(with: lastUndone, \.undoNumber).lazy.compactMap(\.undoName).first ?? ""
  }
  /// The name of what is redone next.
  public var redoActionName: String {
    logs(with: lastRedone, \.redoNumber).lazy.compactMap(\.redoName).first ?? ""
  }

  private var lastUndone: Int? { logs.compactMap(\.undoNumber).max() }
  private var lastRedone: Int? { logs.compactMap(\.redoNumber).max() }

  private func logs(with number: Int?, _ path: KeyPath<UndoLog, Int?>) -> [UndoLog] {
    number == nil ? [] : logs.filter { $0[keyPath: path] == number }
  }

  /// Begins a group: what follows is undone together.
  public func beginUndoGrouping() {
    // Without a log nothing begins yet: the name is for what is registered then.
    let name = logs.isEmpty ? nil : numbers.takeName()
    numbers.together { for log in logs { log.beginGroup(name) } }
  }

  /// Ends a group.
  public func endUndoGrouping() { for log in logs { log.endGroup() } }

  /// Names what is being changed, or else what was changed last; what is changed first where there is nothing
  /// yet.
  public func setActionName(_ name: String) { numbers.name(name) }

  /// Takes back the last group of changes; what was changed in several stores, in all of them.
  public func undo() {
    isUndoing = true
    defer { isUndoing = false }
    replay(lastUndone, \.undoNumber) { try $0.undo() }
  }

  /// Does again what was taken back last.
  public func redo() {
    isRedoing = true
    defer { isRedoing = false }
    replay(lastRedone, \.redoNumber) { try $0.redo() }
  }

  /// Replays the groups with a number; what cannot be is among the problems of the context.
  private func replay(
    _ number: Int?, _ path: KeyPath<UndoLog, Int?>, _ body: (UndoLog) throws -> Bool
  ) {
    numbers.together {
      for log in logs(with: number, path) {
        do {
          replaying = log
          defer { replaying = nil }
          while log[keyPath: path] == number, try body(log) {}
        } catch {
          log.context?.report(
            (error as? StoreError) ?? StoreError(.blockFailed, "undo", "failed: \(error)"))
        }
      }
    }
  }

  /// Has `handler` called with `target` when the changes that are being made are undone; what is registered
  /// meanwhile is done when they are redone.
  ///
  /// ```swift
  /// manager.registerUndo(withTarget: list) { $0.selection = before }
  /// ```
  ///
  /// The target is not kept alive, and nothing is done once it is gone. A manager that belongs to no context
  /// undoes together what lies between two calls of `undo()`, or in one group.
  public func registerUndo<Target: AnyObject>(
    withTarget target: Target, handler: @escaping (Target) -> Void
  ) {
    if logs.isEmpty { logs.append(makeLog()) }
    // What undoes an action is redone with it; else a context's log knows when the changes of a turn end.
    (replaying ?? logs.first { $0.context != nil } ?? logs[0]).register(target, handler)
  }

  /// Forgets what was registered with `target`.
  public func removeAllActions(withTarget target: AnyObject) {
    for log in logs { log.removeAll(of: target) }
  }

  /// Forgets everything.
  public func removeAllActions() { for log in logs { log.removeAll() } }

  /// Whether changes are kept to be undone.
  public var isUndoRegistrationEnabled: Bool { disabled == 0 }

  /// Keeps no record of changes until `enableUndoRegistration()` was called as often.
  public func disableUndoRegistration() {
    disabled += 1
    for log in logs { log.isEnabled = false }
  }

  /// Takes back one call of `disableUndoRegistration()`.
  public func enableUndoRegistration() {
    disabled = max(0, disabled - 1)
    for log in logs { log.isEnabled = disabled == 0 }
  }

  /// Keeps record of a part of a context.
  func watch(_ part: ObjectStore.ModelContext) {
    for log in logs where log.context == nil { log.endGroup() }
    let log = makeLog()
    logs.append(log)
    part.undoLog = log
  }

  private func makeLog() -> UndoLog {
    let log = UndoLog(
      levelsMax: levels == 0 ? UndoLog.usualLevelsMax : levels, numbers: numbers)
    log.isEnabled = disabled == 0
    return log
  }

  func forget(_ parts: [ObjectStore.ModelContext]) {
    for part in parts { part.undoLog = nil }
    logs = []
  }
}

extension ModelContext {
  /// What undoes and redoes changes; nil, as it is at first, keeps no record.
  public var undoManager: UndoManager? {
    get { settings.undoManager }
    set {
      settings.undoManager?.forget(madeParts)
      settings.undoManager = newValue
      if let newValue { for part in madeParts { newValue.watch(part) } }
    }
  }
}

/// Who edits through a context.
public struct EditingState: Identifiable, Sendable {
  /// What tells states apart.
  public let id: UUID
  /// Who makes the changes.
  public var author: String?

  /// Names who edits.
  public init(id: UUID = UUID(), author: String? = nil) {
    self.id = id
    self.author = author
  }
}

extension ModelContext {
  /// Who edits through the context.
  public var editingState: EditingState {
    get { EditingState(id: settings.editingIdentifier, author: author) }
    set {
      settings.editingIdentifier = newValue.id
      author = newValue.author
    }
  }
}
