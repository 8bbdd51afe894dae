/// The runtime's own way to take a reference to an object whose last one may be going on another thread: it is not
/// given where the object is being taken apart.
///
/// `weak` does the same by a table beside each object, which would be an allocation for each model. Swift's ABI on
/// Linux has the entry, where a pointer goes in and comes out alike by Swift's and C's calls.
@_silgen_name("swift_tryRetain")
private func tryRetain(_ object: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

extension Unmanaged {
  /// The object, unless it is about to go; its memory has to be there until this returns.
  @inline(__always)
  func takeIfAlive() -> Instance? {
    tryRetain(toOpaque()).map { Unmanaged.fromOpaque($0).takeRetainedValue() }
  }
}
