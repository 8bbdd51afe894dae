/// Looks for instances of classes in a value: whoever has a copy of the value may change them.
enum HeldInstances {
  /// Whether a value is an instance, or has one among its parts.
  static func isAny(in value: Any) -> Bool {
    if value is any StorableValue || isPlain(value) { return false }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .class || Swift.type(of: value) is AnyClass { return true }
    return mirror.children.contains { isAny(in: $0.value) }
  }

  /// Whether a value holds no reference at all, or only texts and the like.
  private static func isPlain(_ value: Any) -> Bool {
    func isPlain<Value>(_ value: Value) -> Bool { _isPOD(Value.self) }
    return (value as? any PlainElements)?.arePlain ?? isPlain(value)
  }
}

/// A collection that need not be looked through where its elements are values of one column.
private protocol PlainElements {
  var arePlain: Bool { get }
}

extension Array: PlainElements {
  fileprivate var arePlain: Bool { Element.self is any StorableValue.Type || _isPOD(Element.self) }
}

extension Set: PlainElements {
  fileprivate var arePlain: Bool { Element.self is any StorableValue.Type || _isPOD(Element.self) }
}
