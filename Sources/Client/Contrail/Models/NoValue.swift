/// What a property that is kept elsewhere holds of its own: nothing; only code that `@Model` wrote uses it.
public struct _NoValue: Sendable {
  /// Makes nothing.
  @inlinable public init() {}
}
