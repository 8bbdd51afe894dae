import DataModel

/// Which indexes of a type may be read.
struct IndexStates {
  /// Slots that lack values.
  let incomplete: Set<IndexSlot>
  /// Whether each record has an entry in the index of names.
  let hasNames: Bool

  init(_ pending: [PendingIndex], _ type: ResolvedType) {
    let missing = pending.filter { $0.key.type == type.name }
    var incomplete: Set<IndexSlot> = []
    for field in type.indexed {
      for slot in field.slots
      where field.isIncomplete(slot, type.fields[field.name], missing) { incomplete.insert(slot) }
    }
    self.incomplete = incomplete
    hasNames = type.indexed.contains { field in
      field.name == IndexNeed.nameField && field.slots.allSatisfy { !incomplete.contains($0) }
    }
  }
}

extension IndexedField {
  /// Whether no index is complete that keeps a slot.
  fileprivate func isIncomplete(
    _ slot: IndexSlot, _ field: ResolvedField?, _ pending: [PendingIndex]
  ) -> Bool {
    guard let field else { return true }
    return !RecordSchema.Indexes.named.contains { _, index in
      field.indexes.contains(index)
        && IndexSlot.Kind.kept(of: field.shape, by: index).contains(slot.kind)
        && !pending.contains {
          $0.key.field == name && $0.key.index == index && !$0.hasValues
        }
    }
  }
}
