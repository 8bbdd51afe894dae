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
  /// The records of the stores that the context has changed, with the one that was changed last at the end.
  private var logs: [UndoLog] = []
  private var levels = 0
  private var name: String?

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
  /// The name of what is undone next.
  public var undoActionName: String { logs.lazy.compactMap(\.undoName).first ?? "" }
  /// The name of what is redone next.
  public var redoActionName: String { logs.lazy.compactMap(\.redoName).first ?? "" }

  /// Begins a group: what follows is undone together.
  public func beginUndoGrouping() {
    for log in logs { log.beginGroup(name) }
    name = nil
  }

  /// Ends a group.
  public func endUndoGrouping() { for log in logs { log.endGroup() } }

  /// Names what is being changed.
  public func setActionName(_ name: String) { self.name = name }

  /// Takes back the last group of changes; what is related in several stores, in all of them.
  public func undo() { for log in logs where log.canUndo { _ = try? log.undo() } }

  /// Does again what was taken back last.
  public func redo() { for log in logs where log.canRedo { _ = try? log.redo() } }

  /// Forgets everything.
  public func removeAllActions() { for log in logs { log.removeAll() } }

  /// Keeps record of a part of a context.
  func watch(_ part: ObjectStore.ModelContext) {
    let log = UndoLog(levelsMax: levels == 0 ? UndoLog.usualLevelsMax : levels)
    logs.append(log)
    part.undoLog = log
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
