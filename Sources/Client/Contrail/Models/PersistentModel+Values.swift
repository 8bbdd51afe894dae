import Foundation
import ObjectStore

// Properties by their key paths, as code has it that is about any model.
extension PersistentModel {
  /// The value of a property.
  public func getValue<Value>(forKey key: KeyPath<Self, Value>) -> Value { self[keyPath: key] }

  /// Sets a property.
  ///
  /// ```swift
  /// trip.setValue(forKey: \.name, to: "Rome")
  /// ```
  ///
  /// What cannot be set, such as a computed property without a setter, is told by the next save.
  public func setValue<Value>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
    if let path = key as? ReferenceWritableKeyPath<Self, Value> {
      self[keyPath: path] = newValue
    } else {
      modelContext?.keepingFailure {
        throw StoreError(
          .unknownProperty, "\(Self._$plan.entityName), \(key)", "cannot be set",
          fix: "name a stored property, or a computed one with a setter")
      }
    }
  }

  /// The value of a property that a transformer encodes.
  public func getTransformableValue<Value>(forKey key: KeyPath<Self, Value>) -> Value {
    getValue(forKey: key)
  }

  /// Sets a property that a transformer encodes.
  public func setTransformableValue<Value>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
    setValue(forKey: key, to: newValue)
  }
}
