import DataModel
public import Foundation
import ObjectStore

/// A model's values at one moment, which may go anywhere.
public protocol DataStoreSnapshot: Codable, Sendable {
  /// The model.
  var persistentIdentifier: PersistentIdentifier { get }
  /// Takes the values of a model.
  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData])
  /// The same values of a model with another identifier, and with those of new models that it refers to.
  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// The values behind a model.
public protocol BackingData<Model> {
  /// The model's class.
  associatedtype Model: PersistentModel
  /// The model; nil while there is none.
  var persistentModelID: PersistentIdentifier? { get }
  /// The values by the names of the properties, as snapshots keep them.
  var snapshotValues: [String: SnapshotValue] { get }
  /// The value of a property.
  func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value
}

/// What an encoded snapshot's keys are.
public enum DataStoreSnapshotCodingKey: CodingKey, Hashable {
  /// The model.
  case persistentIdentifier
  /// A property.
  case modeledProperty(String)

  /// The key as text.
  public var stringValue: String {
    switch self {
    case .persistentIdentifier: "persistentIdentifier"
    case .modeledProperty(let name): name
    }
  }

  /// Keys are no numbers.
  public var intValue: Int? { nil }

  /// Takes a key's text.
  public init?(stringValue: String) {
    self =
      stringValue == "persistentIdentifier"
      ? .persistentIdentifier : .modeledProperty(stringValue)
  }

  /// Keys are no numbers.
  public init?(intValue: Int) { nil }
}

/// What the values of a snapshot of one's own type are.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// What a snapshot has for one property.
public enum SnapshotValue: Codable, Hashable, Sendable {
  /// No value.
  case none
  /// A truth value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// A text, or an exact number or a URI as text.
  case text(String)
  /// A date, in seconds since the reference date.
  case date(Double)
  /// A universally unique identifier.
  case uuid(UUID)
  /// Bytes, of what is encoded whole too.
  case data(Data)
  /// The parts of a composite value, by their paths.
  case parts([String: SnapshotValue])
  /// A related model.
  case model(PersistentIdentifier)
  /// Related models.
  case models([PersistentIdentifier])
}

/// A model's values by the names of its properties.
public struct DefaultSnapshot: DataStoreSnapshot {
  /// The model.
  public let persistentIdentifier: PersistentIdentifier
  /// The values by the names of the properties.
  public let values: [String: SnapshotValue]

  /// Takes the values of a model.
  public init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
  ) {
    persistentIdentifier = backingData.persistentModelID ?? .unknown
    values = backingData.snapshotValues
  }

  /// Takes the values that a store has for a model, by the names of the properties.
  ///
  /// ```swift
  /// let name = try PersistentIdentifier.identifier(for: "shelf", entityName: "Trip", primaryKey: 7)
  /// let trip = DefaultSnapshot(persistentIdentifier: name, values: ["name": .text("Rome")])
  /// ```
  public init(persistentIdentifier: PersistentIdentifier, values: [String: SnapshotValue]) {
    self.persistentIdentifier = persistentIdentifier
    self.values = values
  }

  /// The same values of a model with another identifier, and with those of new models that it refers to.
  public func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = nil
  ) -> DefaultSnapshot {
    let remapped = remappedIdentifiers ?? [:]
    return DefaultSnapshot(
      persistentIdentifier: persistentIdentifier,
      values: values.mapValues { value in
        switch value {
        case .model(let identifier): .model(remapped[identifier] ?? identifier)
        case .models(let identifiers): .models(identifiers.map { remapped[$0] ?? $0 })
        default: value
        }
      })
  }

  /// Reads what `encode` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    persistentIdentifier = try container.decode(
      PersistentIdentifier.self, forKey: .persistentIdentifier)
    var values: [String: SnapshotValue] = [:]
    for case .modeledProperty(let name) in container.allKeys {
      values[name] = try container.decode(SnapshotValue.self, forKey: .modeledProperty(name))
    }
    self.values = values
  }

  /// Writes the identifier and a key for each property.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
    for (name, value) in values {
      try container.encode(value, forKey: .modeledProperty(name))
    }
  }
}

extension PersistentIdentifier {
  /// What stands for the identifier of a model that has none.
  static let unknown = PersistentIdentifier(.foreign(store: "", entity: "", key: ""))
}

/// A changed object as memory has it by now, others' changes with it, and the columns that are to be written over it.
struct SnapshotMerge {
  var current: ManagedObject
  var written: [Int]
}

/// The values behind a model of one of our contexts.
struct ModelBackingData<Model: PersistentModel>: BackingData {
  let model: Model
  var merge: SnapshotMerge?

  var persistentModelID: PersistentIdentifier? { model.persistentModelID }
  var snapshotValues: [String: SnapshotValue] { model.managedObject.snapshotValues(merge) }

  func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value { model[keyPath: key] }
}

extension ManagedObject {
  /// The values by the names of the properties; parts of composite values are together.
  var snapshotValues: [String: SnapshotValue] { snapshotValues(nil) }

  /// The values, with those that others have made of the columns that are not to be written.
  func snapshotValues(_ merge: SnapshotMerge?) -> [String: SnapshotValue] {
    _ = isPresent(0)
    _ = merge?.current.isPresent(0)
    var values: [String: SnapshotValue] = [:]
    var parts: [String: [String: SnapshotValue]] = [:]
    for slot in layout.slots.indices where !layout.slots[slot].name.hasSuffix(Slot.orderSuffix) {
      let name = layout.slots[slot].name
      let isTheirs = layout.slots[slot].column != nil && merge?.written.contains(slot) == false
      let value = (isTheirs ? merge?.current ?? self : self).snapshotValue(slot)
      if let dot = name.firstIndex(of: ".") {
        parts[String(name[..<dot]), default: [:]][String(name[name.index(after: dot)...])] = value
      } else {
        values[name] = value
      }
    }
    return values.merging(parts.mapValues { .parts($0) }) { first, _ in first }
  }

  /// The value of one column, or what a relationship leads to.
  func snapshotValue(_ slot: Int) -> SnapshotValue {
    if let relationship = layout.slots[slot].relationship {
      guard relationship.schema.isToMany else {
        return relatedObject(slot).map { .model(PersistentIdentifier($0)) } ?? .none
      }
      return .models(relatedObjects(slot).map { PersistentIdentifier($0) })
    }
    guard isPresent(slot) else { return .none }
    switch layout.slots[slot].kind {
    case .integer:
      let number = integer(slot)
      return layout.slots[slot].attribute?.type == .boolean
        ? .boolean(number != 0) : .integer(number)
    case .double: return .double(double(slot))
    case .date: return .date(double(slot))
    case .text, .decimal: return .text(text(slot))
    case .uuid: return uuid(slot).map { .uuid($0) } ?? .none
    case .bytes: return .data(Data(bytes(slot)))
    case .reference, .related: return .none
    }
  }

  /// Sets an attribute, or one part of a composite one, where the value is of its kind.
  func set(_ value: SnapshotValue, at slot: Int) {
    switch (layout.slots[slot].kind, value) {
    case (.integer, .integer(let number)): set(slot, number)
    case (.integer, .boolean(let flag)): set(slot, Int64(flag ? 1 : 0))
    case (.double, .double(let number)), (.date, .date(let number)): set(slot, number)
    case (.double, .integer(let number)): set(slot, Double(number))
    case (.text, .text(let text)), (.decimal, .text(let text)): set(slot, text)
    case (.uuid, .uuid(let uuid)): set(slot, uuid)
    case (.bytes, .data(let data)): set(slot, [UInt8](data))
    default: clear(slot)
    }
  }
}
