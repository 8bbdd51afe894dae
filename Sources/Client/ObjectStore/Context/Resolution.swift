/// What a merge policy makes of an object that was changed here and in the store.
struct Resolution {
  /// The slots to write; nil when nothing may be written.
  let write: [Int]?
  /// The slots that were changed on both sides.
  let both: [Int]

  /// `changed` are the slots that were changed here, `changedThere` those that the store has another
  /// value of than was read.
  init(_ policy: MergePolicy, changed: [Int], changedThere: SlotSet, all: [Int]) {
    both = changed.filter(changedThere.contains)
    write =
      switch policy {
      case .error: nil
      case .mergeByPropertyStoreTrump: changed.filter { !changedThere.contains($0) }
      case .mergeByPropertyObjectTrump: changed
      case .overwrite: all
      case .rollback: []
      }
  }
}

extension StoreError {
  static func conflict(_ object: ManagedObject, _ slots: [Int], _ both: [Int]) -> StoreError {
    let names = (both.isEmpty ? slots : both).map { object.layout.slots[$0].name }
    let what = names.isEmpty ? "" : "; changed on both sides: \(names.joined(separator: ", "))"
    return StoreError(
      .conflict, "\(object.layout.name) \(object.key)",
      "was changed in the store since it was read" + (both.isEmpty ? "" : what))
  }

  static func deletedMeanwhile(_ object: ManagedObject) -> StoreError {
    StoreError(
      .conflict, "\(object.layout.name) \(object.key)",
      "was deleted in the store since it was read")
  }
}
