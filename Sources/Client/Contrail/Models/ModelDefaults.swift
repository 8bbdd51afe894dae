import ObjectStore

/// Takes the initial values of a new object's properties; only code that `@Model` wrote uses it.
public struct ModelDefaults {
  /// What takes the values.
  private let target: Target

  private enum Target {
    /// A new object.
    case object(ManagedObject)
    /// Who asks what the values are.
    case inquiry(DefaultInquiry)
  }

  init(_ object: ManagedObject) { target = .object(object) }

  /// Tells the values instead of writing them.
  init(answering inquiry: DefaultInquiry) { target = .inquiry(inquiry) }

  /// Takes the value of the property with `rank`, which `write` writes into its place.
  func take(_ rank: Int, _ value: Any, _ write: (ManagedObject, Int) -> Void) {
    switch target {
    case .object(let object): write(object, object.slot(rank: rank))
    case .inquiry(let inquiry): inquiry.note(rank, value)
    }
  }
}

/// Asks a class for the initial values that it declares.
final class DefaultInquiry {
  private let rank: Int?
  /// The ranks of all properties that have one.
  private(set) var ranks: Set<Int> = []
  /// The value of the property that was asked for.
  private(set) var value: Any?

  /// Asks for the value of one property, or only which properties have any.
  init(_ rank: Int? = nil) { self.rank = rank }

  fileprivate func note(_ rank: Int, _ value: Any) {
    ranks.insert(rank)
    if rank == self.rank { self.value = value }
  }
}

extension ModelDefaults {
  /// Takes a value that is in one column.
  public func set<Value: StorableValue>(_ rank: Int, _ value: Value) {
    take(rank, value) { value._set($0, $1) }
  }

  /// Takes a value by its raw value.
  public func set<Value: RawRepresentable>(_ rank: Int, _ value: Value)
  where Value.RawValue: StorableValue {
    take(rank, value) { value.rawValue._set($0, $1) }
  }

  /// Takes a value by its raw value, or none.
  public func set<Value: RawRepresentable>(_ rank: Int, _ value: Value?)
  where Value.RawValue: StorableValue {
    take(rank, value as Any) { (value?.rawValue)._set($0, $1) }
  }

  /// Takes a related model.
  public func set<Related: PersistentModel>(_ rank: Int, _ value: Related) {
    take(rank, value) { $0.setRelatedObject($1, value.managedObject) }
  }

  /// Takes a related model, or none.
  public func set<Related: PersistentModel>(_ rank: Int, _ value: Related?) {
    take(rank, value as Any) { $0.setRelatedObject($1, value?.managedObject) }
  }

  /// Takes related models.
  public func set<Related: RelationshipCollection>(_ rank: Int, _ value: Related) {
    take(rank, value) { object, slot in
      let models = value._models
      if !models.isEmpty { object.setRelatedObjects(slot, models.map(\.managedObject)) }
    }
  }

  /// Takes a value of any encodable type.
  @_disfavoredOverload
  public func set<Value: Codable>(_ rank: Int, _ value: Value) { setCodable(rank, value) }

  /// Takes a value that is always encoded.
  public func setCodable<Value: Codable>(_ rank: Int, _ value: Value) {
    take(rank, value) { $0.setCodable(at: $1, value) }
  }

  /// Takes a value that a transformer makes bytes of.
  public func setTransformable<Value>(
    _ rank: Int, _ value: Value, by transformer: ValueTransformer.Type
  ) {
    take(rank, value) { $0.setTransformed(at: $1, value, transformer.init()) }
  }

  /// Takes a value that the transformer of that name makes bytes of.
  public func setTransformable<Value>(_ rank: Int, _ value: Value, by name: String) {
    take(rank, value) {
      $0.setTransformed(at: $1, value, ValueTransformer.valueTransformer(forName: name))
    }
  }
}
