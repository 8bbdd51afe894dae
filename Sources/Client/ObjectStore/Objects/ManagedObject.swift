public import DataModel
internal import Synchronization

/// One object of a store: its identity, its values, and what was changed.
///
/// Tools that know only a schema file use it as it is, by the names of properties; a typed model is a
/// class around one. It belongs to the isolation of its context, so it is not `Sendable`: what crosses
/// is its `identity`.
public final class ManagedObject {
  // NB: unchecked here and below. An object has one isolation, and no accessor calls out while it
  // changes a property; the checks would be a good part of what reading a property costs.
  /// How the object lies in memory and in its table.
  @exclusivity(unchecked) public internal(set) var layout: EntityLayout
  /// The context that the object belongs to.
  ///
  /// The context clears it before it goes, so the address is good or nil.
  @exclusivity(unchecked) var contextReference: Unmanaged<ModelContext>?
  /// The object's key; negative, and unique in this process, while it has never been saved.
  @exclusivity(unchecked) public internal(set) var key: Int64
  /// How often the object was written, as of what `original` or `row` was read from.
  @exclusivity(unchecked) var version: Int64 = 0
  /// The values as they lie there; nil for a fault, whose values have not been read.
  ///
  /// Some may not be encoded yet, for which `row` sees. Relationships always are, as are most attributes.
  @exclusivity(unchecked) var heldRow: Row?
  /// Some of the values, while `row` is nil.
  var partial: PartialRow?
  /// The values as they were read, while some are changed.
  @exclusivity(unchecked) var original: Row?
  /// The slots that were changed.
  @exclusivity(unchecked) var changed = SlotSet()

  /// Whether others have changed or deleted what has changes here.
  package var isOvertaken: Bool { missed != .nothing }

  /// Whether the value of a column was changed since it was read.
  package func isChanged(_ slot: Int) -> Bool { changed.contains(slot) }
  @exclusivity(unchecked) var state = State.detached
  /// Whether some property was set to a value that is not encoded yet; see `ManagedObject+Unencoded.swift`.
  @exclusivity(unchecked) var hasUnencoded = false
  /// Whether some property was set to a value that could not be encoded; see `RefusedValues.swift`.
  @exclusivity(unchecked) var hasRefused = false
  /// What others did to the object while it had changes of its own, and was left as it was.
  @exclusivity(unchecked) var missed = Missed.nothing
  /// The address of the typed model around this object; 0 while there is none.
  ///
  /// The model clears it when it goes, so the address is good or 0; who reads it to use it holds the context's
  /// `modelLock`, which the model takes before it goes.
  let modelAddress = Atomic<UInt>(0)
  /// The model again, while the object has changes: they must not be lost with the model.
  @exclusivity(unchecked) var keptModel: AnyObject?
  /// Whether the object keeps its context: there is a model, and whoever made the context may go before it.
  @exclusivity(unchecked) var holdsContext = false
  /// How many storages of models have the object.
  @exclusivity(unchecked) var storageCount: Int32 = 0
  /// Who observes the model's properties; nil while nobody does.
  @exclusivity(unchecked) public internal(set) var observers: ModelObservers?

  /// What is to become of an object at the next save.
  enum State: UInt8 {
    /// In no context.
    case detached
    /// As the store has it.
    case clean
    /// To be inserted.
    case inserted
    /// To be updated.
    case updated
    /// To be deleted.
    case deleted
    /// Deleted, or gone from the store: values are the last known ones.
    case gone
  }

  /// What was not taken in since the object had changes of its own.
  enum Missed: UInt8 {
    case nothing
    case update
    case deletion
  }

  /// Makes a new object in no context, with its defaults; a typed model writes those itself.
  public init(new layout: EntityLayout, hasDefaults: Bool = true) {
    self.layout = layout
    key = TemporaryKeys.next()
    let row = Row(layout)
    for slot in layout.startSlots {
      if layout.slots[slot].kind == .related {
        row.set(
          slot, RelatedObjects(isNew: true, keepsPlaces: layout.slots[slot].keepsPlaces), layout)
      } else if hasDefaults {
        _ = row.setValue(slot, layout.slots[slot].defaultValue, layout)
      }
    }
    heldRow = row
  }

  /// Makes an object whose values a probe makes up.
  init(probed layout: EntityLayout, by probe: PathProbe) {
    self.layout = layout
    key = TemporaryKeys.next()
    keptModel = probe
  }

  /// Makes an object that the store has; without a row it is a fault.
  init(stored layout: EntityLayout, key: Int64, context: ModelContext) {
    self.layout = layout
    self.key = key
    contextReference = .passUnretained(context)
    state = .clean
  }

  deinit {
    // Without a reference to the context, which may be the one that goes.
    contextReference?._withUnsafeGuaranteedRef { $0.forget(self) }
    heldRow?.free(layout)
    original?.free(layout)
    if holdsContext { contextReference?._withUnsafeGuaranteedRef { $0.loseHolder() } }
  }
}

/// Keys for objects that have never been saved: negative, and each given once in this process.
enum TemporaryKeys {
  private static let last = Atomic<Int64>(0)

  static func next() -> Int64 { last.subtract(1, ordering: .relaxed).newValue }
}

extension ManagedObject {
  /// The context that the object belongs to.
  @inline(__always)
  var context: ModelContext? {
    get { contextReference?.takeUnretainedValue() }
    set {
      letGoOfContext()
      contextReference = newValue.map { .passUnretained($0) }
      holdContext()
      if observers != nil { newValue?.observed.note(self) }
    }
  }

  /// The object's entity.
  public var entity: String {
    settleKind()
    return layout.name
  }

  /// The object's identity in its store; nil while it belongs to no store or has never been saved.
  ///
  /// It is the same when the context is gone.
  public var identity: ObjectIdentity? {
    guard key > 0 else { return nil }
    settleKind()
    return layout.origin.load().map { ObjectIdentity($0, key: key) }
  }

  /// The context that the object belongs to; nil before it is inserted and after its context is gone.
  public var modelContext: ModelContext? { context }

  /// Whether the object is to be deleted at the next save, or is deleted already.
  public var isDeleted: Bool { state == .deleted || state == .gone }

  /// Whether the object is to be inserted at the next save.
  public var isInserted: Bool { state == .inserted }

  /// Whether the object differs from what the store has.
  public var hasChanges: Bool { state == .inserted || state == .updated || state == .deleted }

  /// Whether the values have not been read yet.
  public var isFault: Bool { heldRow == nil }

  /// The names of the properties that were changed since the object was read.
  public var changedProperties: [String] { changed.slots.map { layout.slots[$0].name } }

  /// The values, all of them encoded; nil for a fault, whose values have not been read.
  @inline(__always)
  var row: Row? {
    get {
      if hasUnencoded { encodeAll() }
      return heldRow
    }
    set {
      heldRow = newValue
      hasUnencoded = false
    }
  }

  /// The values, read from the store if need be.
  @inline(__always)
  func values() -> Row {
    if concurrencyDebugFlag != 0 { checkAccess(-1) }
    return row ?? fulfilled(nil)
  }

  /// The values, read from the store if need be, for who looks at relationships only; see `heldRow`.
  @inline(__always)
  func links() -> Row {
    if concurrencyDebugFlag != 0 { checkAccess(-1) }
    return heldRow ?? fulfilled(nil)
  }

  /// Values with that of `slot`, read from the store if need be.
  @inline(__always)
  func values(_ slot: Int) -> Row {
    if concurrencyDebugFlag != 0 { checkAccess(slot) }
    if hasUnencoded { encode(slot) }
    return heldRow ?? fulfilled(slot)
  }

  /// The row that is changed next: of this object, with what is needed to tell what changed.
  @inline(__always)
  func changing(_ slot: Int) -> Row {
    if concurrencyDebugFlag != 0 { checkAccess(slot) }
    if hasUnencoded, let row = rowToEncode(slot) { return row }
    let row = heldRow ?? fulfilled(nil)
    // What cannot be read cannot be changed either: defaults must not be saved over what is there.
    if state != .detached && heldRow != nil { context?.willChange(self, slot) }
    row.forget(slot, layout)
    return row
  }

  /// Reads a fault that may be of an entity that inherits from the one that it was met as: only its
  /// row says which.
  func settleKind() {
    if isFault && layout.family.count > 1 && state == .clean && context != nil { _ = values() }
  }

  /// Gives a fault its values.
  @inline(__always)
  func take(_ layout: EntityLayout, _ row: Row, version: Int64) {
    if let old = original {
      old.free(self.layout)
      original = nil
    }
    self.layout = layout
    self.row = row
    self.version = version
    partial = nil
    if let context, !context.keptLists.isEmpty { context.giveBackLists(self) }
  }

  @inline(never)
  func fulfilled(_ slot: Int?) -> Row {
    if let slot, let partial, partial.slots.contains(slot) { return partial.row }
    if state == .detached, let probe = keptModel as? PathProbe { return probe.note(slot) }
    context?.fulfil(self)
    if let row {
      partial = nil
      return row
    }
    if let original {
      // The last known values; until the next try where the object is still there.
      if state == .clean && context != nil { return original }
      row = original
      self.original = nil
      return original
    }
    // Nothing could be read: defaults stand in, and the context has reported why.
    let row = Row(layout)
    for slot in layout.slots.indices where layout.slots[slot].kind != .related {
      _ = row.setValue(slot, layout.slots[slot].defaultValue, layout)
    }
    if state == .clean && context != nil {
      // Only until the next try: the trouble may pass, and the object is not what stands in for it.
      partial = PartialRow(row, SlotSet(), layout)
    } else {
      self.row = row
    }
    return row
  }
}
