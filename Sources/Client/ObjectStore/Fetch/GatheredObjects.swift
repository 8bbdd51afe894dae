/// Gathers objects of a class that a generic function knows by name only.
///
/// Appending to an array of such a class asks the runtime for the array's type each time, a tenth of what fetching a
/// model costs.
struct GatheredObjects: ~Copyable {
  private var objects: [Unmanaged<AnyObject>] = []

  deinit { for object in objects { object.release() } }

  @inline(__always)
  mutating func append(_ object: AnyObject) { objects.append(.passRetained(object)) }

  /// All objects, which have to be of a class; afterwards there are none here.
  mutating func takeAll<Object: AnyObject>(as type: Object.Type) -> [Object] {
    let taken = objects
    objects = []
    return Array(unsafeUninitializedCapacity: taken.count) { buffer, count in
      for object in taken {
        buffer.initializeElement(
          at: count, to: unsafeDowncast(object.takeRetainedValue(), to: type))
        count += 1
      }
    }
  }
}
