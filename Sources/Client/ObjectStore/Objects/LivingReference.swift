internal import CSwiftRuntime

extension Unmanaged {
  /// The object, unless it is about to go, since its last reference went on another thread.
  ///
  /// Its memory has to be there until this returns. `weak` does the same by a table beside each object, which would be
  /// an allocation for each model.
  @inline(__always)
  func takeIfAlive() -> Instance? {
    contrail_retain_if_alive(toOpaque()).map { Unmanaged.fromOpaque($0).takeRetainedValue() }
  }
}
