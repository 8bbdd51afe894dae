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
    // What shows none of its parts may have been compiled without their types.
    let parts = Mirror(reflecting: value).children
    return parts.isEmpty || parts.contains { isAny(in: $0.value) }
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

/// What is known to hold its parts, and nothing else.
protocol LookedThrough {
  static var parts: [Any.Type] { get }
  var holdInstances: Bool { get }
}

extension Optional: LookedThrough {
  static var parts: [Any.Type] { [Wrapped.self] }
  var holdInstances: Bool { map { HeldInstances.isAny(in: $0) } ?? false }
}

extension Array: LookedThrough {
  static var parts: [Any.Type] { [Element.self] }
  var holdInstances: Bool { anyHoldsInstances }
}

extension Set: LookedThrough {
  static var parts: [Any.Type] { [Element.self] }
  var holdInstances: Bool { anyHoldsInstances }
}

extension Dictionary: LookedThrough {
  static var parts: [Any.Type] { [Key.self, Value.self] }
  var holdInstances: Bool { keys.anyHoldsInstances || values.anyHoldsInstances }
}

extension Sequence {
  /// Elements of a plain type are not looked at one by one.
  fileprivate var anyHoldsInstances: Bool {
    !HeldInstances.isPlain(Element.self) && contains { HeldInstances.isAny(in: $0) }
  }
}
