// What tells that a property was set to a value that could not be encoded is in the property's place in the row, so that
// it goes when that is set anew, undone or rolled back. While an object has some, its context is not saved.
extension ManagedObject {
  /// Notes that what a property was set to could not be encoded.
  public func refuse(_ slot: Int, _ problem: StoreError) {
    let place = layout.keptPlaces[slot]
    // Of what was to be encoded at once, nothing may have been written, nor told to anybody.
    if place == 0 || !isKept(at: place, .encoding) { _ = willSetWhole(slot) }
    // There is no place for what is read as it lies there, and no row of what cannot be read.
    guard place != 0, let row = heldRow else {
      context?.note(problem)
      return
    }
    row.forget(at: place)
    row.keep(at: place, RefusedValue(problem))
    hasRefused = true
  }

  /// Takes over what `other`, a row of the same layout, has of a property's refusal.
  func takeRefusal(_ slot: Int, of other: Row) {
    guard willSetWhole(slot), let row = heldRow else { return }
    row.forget(slot, layout)
    other.copyRefusal(slot, to: row, layout)
    if row.refusal(slot, layout) != nil { hasRefused = true }
  }

  /// Forgets that a property was set to what could not be encoded: something else is there now.
  public func forgetRefusal(_ slot: Int) {
    let place = layout.keptPlaces[slot]
    guard hasRefused, place != 0, isKept(at: place, .refused), willSetWhole(slot) else { return }
    heldRow?.forget(at: place)
  }

  /// What could not be encoded; all is.
  public var refusals: [StoreError] {
    guard hasRefused, let row else { return [] }
    let found = layout.allKeptPlaces.compactMap { row.refusal(at: $0)?.problem }
    hasRefused = !found.isEmpty
    return found
  }
}

extension Row {
  /// What tells that a property could not be encoded.
  func refusal(at place: Int) -> RefusedValue? {
    kept(at: place)?.takeUnretainedValue() as? RefusedValue
  }

  func refusal(_ slot: Int, _ layout: EntityLayout) -> RefusedValue? {
    let place = layout.keptPlaces[slot]
    return place == 0 ? nil : refusal(at: place)
  }

  /// Whether two rows of one layout tell the same of a property.
  func hasSameRefusal(_ slot: Int, _ other: Row, _ layout: EntityLayout) -> Bool {
    refusal(slot, layout) === other.refusal(slot, layout)
  }

  /// Copies what tells that the property of a slot could not be encoded, if that is so.
  func copyRefusal(_ slot: Int, to other: Row, _ layout: EntityLayout) {
    guard let refusal = refusal(slot, layout) else { return }
    other.forget(slot, layout)
    other.keep(at: layout.keptPlaces[slot], refusal)
  }
}

extension ModelContext {
  /// Encodes what was set, of all that is to be saved.
  func encodeChanges() {
    for object in inserted where object.hasUnencoded { object.encodeAll() }
    for object in updated where object.hasUnencoded { object.encodeAll() }
  }

  /// What cannot be encoded of all that is to be saved.
  var refusals: [StoreError] {
    encodeChanges()
    var found: [StoreError] = []
    for object in inserted where object.hasRefused && object.state == .inserted {
      found += object.refusals
    }
    for object in updated where object.hasRefused && object.state == .updated {
      found += object.refusals
    }
    return found
  }
}
