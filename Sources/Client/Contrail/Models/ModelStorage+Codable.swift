import ObjectStore

// Values of any other encodable type. Those that can be taken apart have a column for each part.
extension ModelStorage {
  /// The value of a property.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func read<Model: PersistentModel, Value: Codable>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>
  ) -> Value {
    reading(model, path) { $0.codable(rank, of: model) }
  }

  /// Sets a property.
  @inlinable @inline(__always)
  @_disfavoredOverload
  public func write<Model: PersistentModel, Value: Codable>(
    _ rank: Int, _ value: Value, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>
  ) {
    changing(model, path) { $0.setCodable(at: $0.slot(rank: rank), value) }
  }

  /// Gives a property its first value, before `self` is complete.
  @_disfavoredOverload
  public mutating func initialize<Value: Codable>(_ rank: Int, _ value: Value) {
    keep(rank) { $0.setCodable(at: $1, value) }
  }

  /// The value of a property that is always encoded.
  @inlinable @inline(__always)
  public func readCodable<Model: PersistentModel, Value: Codable>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>
  ) -> Value {
    reading(model, path) { $0.codable(rank, of: model) }
  }

  /// Sets a property that is always encoded.
  @inlinable @inline(__always)
  public func writeCodable<Model: PersistentModel, Value: Codable>(
    _ rank: Int, _ value: Value, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>
  ) {
    changing(model, path) { $0.setCodable(at: $0.slot(rank: rank), value) }
  }

  /// Gives a property that is always encoded its first value.
  public mutating func initializeCodable<Value: Codable>(_ rank: Int, _ value: Value) {
    keep(rank) { $0.setCodable(at: $1, value) }
  }
}

// Values that a transformer makes bytes of.
extension ModelStorage {
  /// The value of a property.
  public func readTransformable<Model: PersistentModel, Value>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>,
    by transformer: ValueTransformer.Type
  ) -> Value {
    reading(model, path) { $0.transformed(rank, of: model, transformer.init()) }
  }

  /// Sets a property.
  public func writeTransformable<Model: PersistentModel, Value>(
    _ rank: Int, _ value: Value, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>,
    by transformer: ValueTransformer.Type
  ) {
    changing(model, path) { $0.setTransformed(rank, value, transformer.init()) }
  }

  /// Gives a property its first value, before `self` is complete.
  public mutating func initializeTransformable<Value>(
    _ rank: Int, _ value: Value, by transformer: ValueTransformer.Type
  ) {
    keep(rank) { object, _ in object.setTransformed(rank, value, transformer.init()) }
  }

  /// The value of a property whose transformer is registered under a name.
  public func readTransformable<Model: PersistentModel, Value>(
    _ rank: Int, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>,
    by name: String
  ) -> Value {
    reading(model, path) {
      $0.transformed(rank, of: model, ValueTransformer.valueTransformer(forName: name))
    }
  }

  /// Sets a property whose transformer is registered under a name.
  public func writeTransformable<Model: PersistentModel, Value>(
    _ rank: Int, _ value: Value, of model: Model, _ path: @autoclosure () -> KeyPath<Model, Value>,
    by name: String
  ) {
    changing(model, path) {
      $0.setTransformed(rank, value, ValueTransformer.valueTransformer(forName: name))
    }
  }

  /// Gives a property whose transformer is registered under a name its first value.
  public mutating func initializeTransformable<Value>(
    _ rank: Int, _ value: Value, by name: String
  ) {
    keep(rank) { object, _ in
      object.setTransformed(rank, value, ValueTransformer.valueTransformer(forName: name))
    }
  }
}

extension ManagedObject {
  /// Reports a raw value that none of the property's type has, as of a case that was taken away.
  @inline(never)
  public func _reportNoCase(_ slot: Int) {
    reportUnreadable(slot, "its type has no value for what is stored")
  }

  @inlinable @inline(__always)
  func codable<Model: PersistentModel, Value: Codable>(_ rank: Int, of model: Model) -> Value {
    kept(slot(rank: rank)) ?? decoded(rank, of: model)
  }

  @usableFromInline @inline(never)
  func decoded<Model: PersistentModel, Value: Codable>(_ rank: Int, of model: Model) -> Value {
    let slot = slot(rank: rank)
    do {
      // Who changes a class instance that was read changes nothing of the object, nor what is read next.
      let value = try keeping(slot, where: { !HeldInstances.isAny(in: $0) }) {
        try CodableColumn.read(Value.self, self, slot)
      }
      if let value { return value }
    } catch {
      reportUnreadable(slot, error)
    }
    return model.encodedStandIn(rank)
  }

  /// Sets a property; it is encoded when somebody needs it, unless somebody else may change the value by then.
  @inlinable
  func setCodable<Value: Codable>(at slot: Int, _ value: Value) {
    let isKept = set(
      slot, unencoded: value, isPlain: { HeldInstances.isPlain(Value.self) },
      by: ValueEncoding(isExact: ExactCoding.isOf(Value.self)) { $1.encode($0, at: $2) })
    if !isKept { encode(value, at: slot) }
  }

  @usableFromInline @inline(never)
  func encode<Value: Codable>(_ value: Value, at slot: Int) {
    keepGiven(value, at: slot)
    do {
      try CodableColumn.write(value, self, slot)
      forgetRefusal(slot)
    } catch {
      reportUnwritable(slot, "cannot be encoded: \(error)")
    }
  }

  func transformed<Model: PersistentModel, Value>(
    _ rank: Int, of model: Model, _ transformer: ValueTransformer?
  ) -> Value {
    let slot = slot(rank: rank)
    let bytes = presentBytes(slot).map { Data($0) }
    if let bytes {
      if let value = transformer?.reverseTransformedValue(bytes) as? Value { return value }
      reportUnreadable(slot, transformer == nil ? "its transformer is not registered" : "refused")
    } else if let none = (Value.self as? any OptionalValue.Type)?.noValue as? Value {
      return none
    }
    return model.encodedStandIn(rank)
  }

  func setTransformed<Value>(_ rank: Int, _ value: Value, _ transformer: ValueTransformer?) {
    setTransformed(at: slot(rank: rank), value, transformer)
  }

  func setTransformed<Value>(at slot: Int, _ value: Value, _ transformer: ValueTransformer?) {
    keepGiven(value, at: slot)
    if case let optional as any OptionalValue = value, optional.isNone { return clear(slot) }
    guard let bytes = transformer?.transformedValue(value) as? Data else {
      return reportUnwritable(slot, "its transformer makes no data of the value")
    }
    set(slot, [UInt8](bytes))
  }

  /// Keeps a value beside its column where nothing else could stand for it: a class with such a property
  /// and no declared value is in no container.
  private func keepGiven<Value>(_ value: Value, at slot: Int) {
    if modelContext == nil, !StandIn.isPossible(Value.self) { keepGiven(slot, value) }
  }

  private func shownProperty(_ slot: Int) -> String {
    "\(layout.name).\(layout.slots[slot].name.prefix { $0 != "." })"
  }

  private func reportUnreadable(_ slot: Int, _ reason: Any) {
    modelContext?.report(
      StoreError(
        .unreadableValue, shownProperty(slot), "cannot be decoded: \(reason)",
        fix: "read it with a type that has what was stored, or set it anew"))
  }

  private func reportUnwritable(_ slot: Int, _ reason: String) {
    refuse(
      slot,
      StoreError(
        .unwritableValue, shownProperty(slot), reason,
        fix: "give it a value that can be encoded, or roll back; nothing is saved until then"))
  }
}
