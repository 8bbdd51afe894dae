// For `_forEachField`: no public part of the standard library tells the types of a type's parts without a value.
@_spi(Reflection) import Swift
import Synchronization

/// Looks for instances of classes in a value: whoever has a copy of the value may change them.
@usableFromInline
enum HeldInstances {
  /// Whether a value is an instance, or may have one among its parts.
  static func isAny(in value: Any) -> Bool {
    if isPlain(Swift.type(of: value)) { return false }
    if let parts = value as? any LookedThrough { return parts.holdInstances }
    // What shows other parts than it has may hide some.
    if Swift.type(of: value) is AnyClass || value is any CustomReflectable { return true }
    return Mirror(reflecting: value).children.contains { isAny(in: $0.value) }
  }

  /// Whether no value of a type holds any, by the type alone.
  @usableFromInline
  static func isPlain(_ type: Any.Type) -> Bool {
    let name = ObjectIdentifier(type)
    if let known = answers.withLock({ $0[name] }) { return known }
    var looking = PlainTypes()
    let found = looking.isPlain(type)
    answers.withLock { $0[name] = found }
    return found
  }

  private static let answers = Mutex<[ObjectIdentifier: Bool]>([:])
}

/// Looks at types, and at the types of their parts.
private struct PlainTypes {
  /// How deep types are looked into: a generic one may name ever more of its kind.
  private static let depthMax = 32

  /// Types that are being looked at, whose parts may be of the same type.
  private var open: Set<ObjectIdentifier> = []

  mutating func isPlain(_ type: Any.Type) -> Bool {
    if type is any StorableValue.Type { return true }
    // What it leads to is anybody's.
    if type is any _Pointer.Type { return false }
    if open.contains(ObjectIdentifier(type)) { return true }
    guard open.count < Self.depthMax else { return false }
    open.insert(ObjectIdentifier(type))
    defer { open.remove(ObjectIdentifier(type)) }
    if let parts = (type as? any LookedThrough.Type)?.parts {
      return parts.allSatisfy { isPlain($0) }
    }
    return Self.isStructure(type) ? isPlainStructure(type) : Self.isPlainMemory(type)
  }

  /// Whether all parts are plain, of a structure: asked of other types the library's function may trap.
  ///
  /// What is neither a structure nor plain memory may hold anything: an enumeration's values are not looked through.
  private mutating func isPlainStructure(_ type: Any.Type) -> Bool {
    var isExplained = Self.isPlainMemory(type)
    let allArePlain = _forEachField(of: type) { _, _, part, _ in
      if !Self.isPlainMemory(part) { isExplained = true }
      return isPlain(part)
    }
    // Compiled without the types of its parts, a structure seems to have none that are more than memory.
    return allArePlain && isExplained
  }

  private static func isPlainMemory(_ type: any Any.Type) -> Bool {
    func isPlainMemory<Value>(_: Value.Type) -> Bool { _isPOD(Value.self) }
    return isPlainMemory(type)
  }

  private static func isStructure(_ type: any Any.Type) -> Bool {
    // https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst: structures are kind 0x200.
    unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee == 0x200
  }
}

/// What is known to hold its parts, and nothing else.
private protocol LookedThrough {
  static var parts: [Any.Type] { get }
  var holdInstances: Bool { get }
}

extension Optional: LookedThrough {
  fileprivate static var parts: [Any.Type] { [Wrapped.self] }
  fileprivate var holdInstances: Bool { map { HeldInstances.isAny(in: $0) } ?? false }
}

extension Array: LookedThrough {
  fileprivate static var parts: [Any.Type] { [Element.self] }
  fileprivate var holdInstances: Bool { anyHoldsInstances }
}

extension Set: LookedThrough {
  fileprivate static var parts: [Any.Type] { [Element.self] }
  fileprivate var holdInstances: Bool { anyHoldsInstances }
}

extension Dictionary: LookedThrough {
  fileprivate static var parts: [Any.Type] { [Key.self, Value.self] }
  fileprivate var holdInstances: Bool { keys.anyHoldsInstances || values.anyHoldsInstances }
}

extension Sequence {
  /// Elements of one plain structure are not looked at one by one.
  fileprivate var anyHoldsInstances: Bool {
    !HeldInstances.isPlain(Element.self) && contains { HeldInstances.isAny(in: $0) }
  }
}
