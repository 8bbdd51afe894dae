public import ObjectStore

// What the accessors call, one group of three for each kind of property; the compiler chooses by the
// property's type.

// Values in one column.
extension ModelStorage {
  /// The value of a property.
  @inlinable @inline(__always)
  public func read<Model: PersistentModel, Value: StorableValue>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>
  ) -> Value {
    reading(model, path) { Value._value($0, $0.slot(rank: rank)) } ?? model._standIn(rank)
  }

  /// Sets a property.
  @inlinable @inline(__always)
  public func write<Model: PersistentModel, Value: StorableValue>(
    _ rank: Int, _ value: Value, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>
  ) {
    changing(model, path) { value._set($0, $0.slot(rank: rank)) }
  }

  /// Gives a property its first value, before `self` is complete.
  @inlinable
  public mutating func initialize<Value: StorableValue>(_ rank: Int, _ value: Value) {
    keep(rank) { value._set($0, $1) }
  }
}

// Enumerations and other types with a raw value that is in one column.
extension ModelStorage {
  /// The value of a property.
  @inlinable @inline(__always)
  public func read<Model: PersistentModel, Value: RawRepresentable>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>
  ) -> Value where Value.RawValue: StorableValue {
    reading(model, path) { Value._case($0, $0.slot(rank: rank)) } ?? model._rawStandIn(rank)
  }

  /// The value of a property that may have none.
  @inlinable @inline(__always)
  public func read<Model: PersistentModel, Value: RawRepresentable>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value?>
  ) -> Value? where Value.RawValue: StorableValue {
    reading(model, path) { object in
      let slot = object.slot(rank: rank)
      // Where the raw value may be missing, too, an empty column is what the property has none by.
      if Value.RawValue._isOptional && !object.isPresent(slot) { return nil }
      if let found = Value._case(object, slot) { return found }
      if object.isPresent(slot) { object._reportNoCase(slot) }
      return nil
    }
  }

  /// Sets a property.
  @inlinable @inline(__always)
  public func write<Model: PersistentModel, Value: RawRepresentable>(
    _ rank: Int, _ value: Value, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>
  ) where Value.RawValue: StorableValue {
    changing(model, path) { value.rawValue._set($0, $0.slot(rank: rank)) }
  }

  /// Sets a property that may have none.
  @inlinable @inline(__always)
  public func write<Model: PersistentModel, Value: RawRepresentable>(
    _ rank: Int, _ value: Value?, of model: Model,
    _ path: @autoclosure () -> KeyPath<Model, Value?>
  ) where Value.RawValue: StorableValue {
    changing(model, path) { (value?.rawValue)._set($0, $0.slot(rank: rank)) }
  }

  /// Gives a property its first value, before `self` is complete.
  @inlinable
  public mutating func initialize<Value: RawRepresentable>(_ rank: Int, _ value: Value)
  where Value.RawValue: StorableValue {
    let raw = value.rawValue
    keep(rank) { raw._set($0, $1) }
  }

  /// Gives a property that may have none its first value.
  @inlinable
  public mutating func initialize<Value: RawRepresentable>(_ rank: Int, _ value: Value?)
  where Value.RawValue: StorableValue {
    let raw = value?.rawValue
    keep(rank) { raw._set($0, $1) }
  }
}
