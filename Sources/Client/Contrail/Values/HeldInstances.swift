/// Looks for instances of classes in a value: whoever has a copy of the value may change them.
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
  static func isPlain(_ type: Any.Type) -> Bool {
    func holdsNoReference<Value>(_: Value.Type) -> Bool { _isPOD(Value.self) }
    if type is any StorableValue.Type || holdsNoReference(type) { return true }
    return (type as? any LookedThrough.Type)?.parts.allSatisfy(isPlain) ?? false
  }

  /// Whether no value of a structure's type holds any, by the types of its properties.
  static func isPlainStructure(_ value: Any) -> Bool {
    if isPlain(Swift.type(of: value)) { return true }
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .struct && !(value is any CustomReflectable)
      && mirror.children.allSatisfy { isPlainStructure($0.value) }
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
    guard let first = first(where: { _ in true }), !HeldInstances.isPlainStructure(first) else {
      return false
    }
    return contains { HeldInstances.isAny(in: $0) }
  }
}
