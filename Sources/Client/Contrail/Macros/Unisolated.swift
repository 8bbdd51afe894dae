// What `@Model` calls where a class's own isolation would be in the way.
//
// With `-default-isolation MainActor`, or with a global actor on the class, the properties of a model and
// their key paths are isolated, while a schema is made and objects are made wherever a context works.

/// The result of a function that needs the class's isolation by its type only.
///
/// The function forms key paths, reads constants, and touches no object. A call is the same with and
/// without isolation (`@MainActor` is no part of how a function is called), so the cast is sound.
@inlinable @inline(__always)
nonisolated public func _unisolated<Result>(_ function: @escaping @MainActor () -> Result) -> Result {
  unsafeBitCast(function, to: (() -> Result).self)()
}

/// Calls a function that needs the class's isolation by its type only, to fill in defaults.
///
/// Defaults are asked for where a new object is made: by its own initializer, which has the isolation.
@inlinable @inline(__always)
nonisolated public func _unisolated(
  _ function: @escaping @MainActor (borrowing ModelDefaults) -> Void,
  _ defaults: borrowing ModelDefaults
) {
  typealias Unisolated = (borrowing ModelDefaults) -> Void
  unsafeBitCast(function, to: Unisolated.self)(defaults)
}
