/// What was read of a property.
public final class KeptValue<Value> {
  /// The value.
  public let value: Value

  init(_ value: Value) { self.value = value }
}

// What was read of properties that take long to read: a row has it from when it was read until something of the
// property is about to change, which `ManagedObject.changing` says.
extension Row {
  /// What was read of the property that a slot is, or is a part of.
  @inline(__always)
  func kept(_ slot: Int, _ layout: EntityLayout) -> Unmanaged<AnyObject>? {
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
    base.storeBytes(
      of: Unmanaged.passRetained(KeptValue(value) as AnyObject), toByteOffset: place,
      as: Unmanaged<AnyObject>?.self)
  }

  /// Forgets what was read of the property that a slot is, or is a part of: it is about to change.
  @inline(__always)
  func forget(_ slot: Int, _ layout: EntityLayout) {
    let place = layout.keptPlaces[slot]
    if place != 0 { forget(at: place) }
  }

  /// Forgets what is kept at a place.
  func forget(at place: Int) {
    guard let kept = kept(at: place) else { return }
    base.storeBytes(of: nil, toByteOffset: place, as: Unmanaged<AnyObject>?.self)
    kept.release()
  }

  @inline(__always)
  private func kept(at place: Int) -> Unmanaged<AnyObject>? {
    base.load(fromByteOffset: place, as: Unmanaged<AnyObject>?.self)
  }
}
