import ObjectStore

// What the compiler chooses only where it has nothing else: for a type that no store keeps it says what to do,
// and not what it has tried.

@available(
  *, unavailable,
  message: """
    a store cannot keep values of this type: make it Codable, make its class a @Model, or mark the \
    property with @Transient
    """
)
extension ModelStorage {
  /// Stands for the getter of a property that cannot be kept.
  @_disfavoredOverload
  public func read<Model: PersistentModel, Value>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>
  ) -> Value {
    model.encodedStandIn(rank)
  }

  /// Stands for the setter of a property that cannot be kept.
  @_disfavoredOverload
  public func write<Model: PersistentModel, Value>(
    _ rank: Int, _ value: Value, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>
  ) {}

  /// Stands for the first value of a property that cannot be kept.
  @_disfavoredOverload
  public mutating func initialize<Value>(_ rank: Int, _ value: Value) {}
}

@available(
  *, unavailable,
  message: """
    a store cannot keep values of this type: make it Codable, make its class a @Model, or mark the \
    property with @Transient
    """
)
extension ModelDefaults {
  /// Stands for the declared value of a property that cannot be kept.
  @_disfavoredOverload
  public func set<Value>(_ rank: Int, _ value: Value) {}
}
