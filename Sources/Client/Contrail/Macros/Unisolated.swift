// What `@Model` calls where a class's own isolation would be in the way.
//
// With `-default-isolation MainActor`, or with a global actor on the class, the properties of a model and
// their key paths are isolated, while schemas and objects are made wherever a context works.

/// A function without the isolation that is a part of its type.
///
/// `Function` and `Plain` are the same function type but for the isolation, which is no part of how a function
/// is called, so the cast is sound. What is called this way are two functions that `@Model` writes. One forms
/// key paths and reads constants. The other makes the defaults of a new object, and is called where that
/// object is made: by its own initializer, which has the isolation.
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
