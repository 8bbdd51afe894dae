// What a row has of properties that take long to read or to write: what was read, until something of the property
// is about to change, which `ManagedObject.changing` says; or what was set, until somebody needs it in the slots.
extension Row {
  /// What is kept of the property that a slot is, or is a part of.
  @inline(__always)
  func kept(_ slot: Int, _ layout: EntityLayout) -> Unmanaged<KeptObject>? {
    let place = layout.keptPlaces[slot]
    return place == 0 ? nil : kept(at: place)
  }

  /// Up to how many bytes are held twice: as they are saved, and as they were read.
  static let keptBytesMax = 64 * 1024

  /// Whether what was read of a slot's property may be kept: all of it is here, and is not too long.
  func mayKeep(_ slot: Int, _ layout: EntityLayout) -> Bool {
    guard layout.kinds[slot] == .bytes, isPresent(slot) else { return true }
    let value = bytes(slot, layout)
    return value.bytes.count <= Self.keptBytesMax && (value.file == nil || !value.bytes.isEmpty)
  }

  /// Keeps what was read of the property that a slot is, or is a part of, where nothing is kept yet.
  func keep<Value>(_ slot: Int, _ value: Value, _ layout: EntityLayout) {
    let place = layout.keptPlaces[slot]
    guard place != 0, kept(at: place) == nil else { return }
    keep(at: place, KeptValue(value))
  }

  /// Keeps an object at a place that has none.
  func keep(at place: Int, _ object: KeptObject) {
    base.storeBytes(
      of: Unmanaged.passRetained(object), toByteOffset: place, as: Unmanaged<KeptObject>?.self)
  }

  /// Forgets what is kept of the property that a slot is, or is a part of: it is about to change.
  @inline(__always)
  func forget(_ slot: Int, _ layout: EntityLayout) {
    let place = layout.keptPlaces[slot]
    if place != 0 { forget(at: place) }
  }

  /// Forgets what is kept at a place.
  func forget(at place: Int) {
    _ = take(at: place)
  }

  /// Takes what is kept at a place out of it.
  func take(at place: Int) -> KeptObject? {
    guard let kept = kept(at: place) else { return nil }
    base.storeBytes(of: nil, toByteOffset: place, as: Unmanaged<KeptObject>?.self)
    return kept.takeRetainedValue()
  }

  /// What is kept at a place.
  @inline(__always)
  func kept(at place: Int) -> Unmanaged<KeptObject>? {
    base.load(fromByteOffset: place, as: Unmanaged<KeptObject>?.self)
  }
}
