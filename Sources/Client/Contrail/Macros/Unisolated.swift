// What `@Model` calls where a class's own isolation would be in the way.
//
// In a class with a global actor the properties and their key paths are isolated, while schemas and objects
// are made wherever a context works. (A default isolation is not meant: it does not hold for models.)

/// A function without the isolation that is a part of its type.
///
/// `Function` and `Plain` are the same function type but for the isolation, which is no part of how a function
/// is called, so the cast is sound. What is called this way are two functions that `@Model` writes. One forms
/// key paths and reads constants. The other makes the defaults of a new object, and is called where that
/// object is made: by its own initializer or where it is first used, which has the isolation. It is called too
/// where the store has a value that cannot be read, and once by the container: defaults of an isolated class
/// must not rely on the isolation.
@inlinable @inline(__always)
nonisolated public func _unisolated<Function, Plain>(_ function: Function, as _: Plain.Type)
  -> Plain
{
  unsafeBitCast(function, to: Plain.self)
}

extension ModelDefaults {
  /// A function that makes the defaults of a class.
  public typealias _Function = (borrowing ModelDefaults) -> Void
}
