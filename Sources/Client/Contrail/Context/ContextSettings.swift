import Foundation
public import ObjectStore

/// What is set of a context, and holds for the contexts behind it.
struct ContextSettings {
  var author: String?
  var isAutosaving = false
  /// Whether nobody hears of its saves: it only carries out what another context's save began.
  var isQuiet = false
  var undoManager: UndoManager?
  var editingIdentifier = UUID()
  var uniquePolicy = ModelContext.UniquePolicy.upsert
  var mergePolicy = ModelContext.MergePolicy.mergeByPropertyObjectTrump

  func apply(to part: ObjectStore.ModelContext) {
    part.author = author
    part.uniquePolicy = uniquePolicy
    part.mergePolicy = mergePolicy
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
  /// It needs a context that was made on an actor, or a model actor's; on any other it stays off. What keeps a
  /// save from happening is noted in `problems`, and the changes are kept.
  public var autosaveEnabled: Bool {
    get { settings.isAutosaving && isAtHome }
    set {
      settings.isAutosaving = newValue
      for part in madeParts { part.autosaveEnabled = newValue }
    }
  }

  /// What went wrong where nothing can be thrown, as in getters and automatic saves.
  public var problems: [StoreError] { failures + madeParts.flatMap(\.problems) }
}

extension ModelContext {
  /// What a save does with a model that others have changed since it was read.
  public typealias MergePolicy = ObjectStore.MergePolicy

  /// What a save does with a model that others have changed since it was read: at first, that what was
  /// changed here is saved, and everything else is as the others have it.
  ///
  /// With `error` such a save throws and writes nothing, until the changes are rolled back.
  public var mergePolicy: MergePolicy {
    get { settings.mergePolicy }
    set {
      settings.mergePolicy = newValue
      for part in madeParts { part.mergePolicy = newValue }
    }
  }
}
