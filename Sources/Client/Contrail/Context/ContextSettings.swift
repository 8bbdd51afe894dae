import Foundation
public import ObjectStore

/// What is set of a context, and holds for the contexts behind it.
struct ContextSettings {
  var author: String?
  var isAutosaving = false
  var undoManager: UndoManager?
  var editingIdentifier = UUID()
  var uniquePolicy = ModelContext.UniquePolicy.upsert

  func apply(to part: ObjectStore.ModelContext) {
    part.author = author
    part.uniquePolicy = uniquePolicy
    if isAutosaving { part.autosaveEnabled = true }
    undoManager?.watch(part)
  }
}

extension ModelContext {
  /// Who makes the changes, as history notes down.
  public var author: String? {
    get { settings.author }
    set {
      settings.author = newValue
      for part in madeParts { part.author = newValue }
    }
  }

  /// Whether changes are saved by themselves, soon after the last of them; off at first, but on for a
  /// container's main context.
  ///
  /// It needs a context that was made on an actor, or a model actor's. What keeps a save from happening is
  /// noted in `problems`, and the changes are kept.
  public var autosaveEnabled: Bool {
    get { settings.isAutosaving }
    set {
      settings.isAutosaving = newValue
      for part in madeParts { part.autosaveEnabled = newValue }
    }
  }

  /// What went wrong where nothing can be thrown, as in getters and automatic saves.
  public var problems: [StoreError] { failures + madeParts.flatMap(\.problems) }
}
