// Values that a property was set to and that could not be encoded: they are in the property's place in the row, so that
// they go when it is set anew or rolled back. While there are some, the object is not saved.
extension ManagedObject {
  /// Notes that what a property was set to could not be encoded.
  public func refuse(_ slot: Int, _ problem: StoreError) {
    let place = layout.keptPlaces[slot]
    // There is none in a property of one column, and none to put it in of what cannot be read.
    guard place != 0, let row = heldRow else {
      context?.note(problem)
      return
    }
    row.forget(at: place)
    row.keep(at: place, RefusedValue(problem))
    hasRefused = true
  }

  /// Forgets that a property was set to what could not be encoded: something else is there now.
  public func forgetRefusal(_ slot: Int) {
    let place = layout.keptPlaces[slot]
    if hasRefused, place != 0, isKept(at: place, .refused) { heldRow?.forget(at: place) }
  }

  /// What could not be encoded; all is.
  public var refusals: [StoreError] {
    guard hasRefused, let row else { return [] }
    let found = layout.allKeptPlaces.compactMap { place in
      row.kept(at: place).flatMap { ($0.takeUnretainedValue() as? RefusedValue)?.problem }
    }
    hasRefused = !found.isEmpty
    return found
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
