import Glibc

/// Counts the objects that the Swift runtime makes: instances of classes, boxes, memory of arrays and of
/// texts.
///
/// The runtime calls through pointers where a flag says so, for tools that measure:
/// https://github.com/swiftlang/swift/blob/main/stdlib/public/runtime/HeapObject.cpp
enum ObjectCounter {
  private typealias Make =
    @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer?

  // Unchecked: one thread counts, and only while it does is the hook in place.
  nonisolated(unsafe) private static var made = 0
  nonisolated(unsafe) private static var original: Make?

  /// How many objects `work` makes; nil where the runtime has no hook.
  static func count(_ work: () -> Void) -> Int? {
    let flag = "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly"
    guard let hook = dlsym(nil, "_swift_allocObject"), let isOn = dlsym(nil, flag) else {
      return nil
    }
    let make = hook.assumingMemoryBound(to: Make.self)
    // Lazy values are made before anything counts.
    work()
    made = 0
    original = make.pointee
    make.pointee = { type, size, mask in
      ObjectCounter.made += 1
      return ObjectCounter.original?(type, size, mask)
    }
    isOn.storeBytes(of: 1, as: UInt8.self)
    work()
    isOn.storeBytes(of: 0, as: UInt8.self)
    make.pointee = original ?? make.pointee
    return made
  }
}
