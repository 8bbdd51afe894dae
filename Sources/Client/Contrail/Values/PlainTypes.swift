// For `_forEachField`: no public part of the standard library tells the types of a type's parts without a value.
@_spi(Reflection) import Swift

/// Looks at types, and at the types of their parts.
struct PlainTypes {
  /// How deep types are looked into: a generic one may name ever more of its kind.
  private static let depthMax = 32

  /// Types that were looked at, or are.
  ///
  /// Each is looked at once, since one that is not plain ends the search; parts may be of the same type.
  private var seen: Set<ObjectIdentifier> = []
  private var depth = 0

  mutating func isPlain(_ type: Any.Type) -> Bool {
    if type is any StorableValue.Type { return true }
    // What it leads to is anybody's.
    if type is any _Pointer.Type || type == OpaquePointer.self { return false }
    guard depth < Self.depthMax else { return false }
    if !seen.insert(ObjectIdentifier(type)).inserted { return true }
    depth += 1
    defer { depth -= 1 }
    if let parts = (type as? any LookedThrough.Type)?.parts {
      return parts.allSatisfy { isPlain($0) }
    }
    switch TypeKind(of: type) {
    case .structure, .tuple: return hasPlainFields(type)
    case .enumeration:
      return EnumerationRecord(type)?.payloadTypes?.allSatisfy { isPlain($0) } ?? false
    case nil: return Self.isPlainMemory(type)
    }
  }

  /// Whether all parts are plain, of a structure or a tuple: asked of other types the library's function may trap.
  private mutating func hasPlainFields(_ type: Any.Type) -> Bool {
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
}
