import DataModel
import Foundation
import PredicateSQL

extension Schema {
  /// What a model's class says of one of its properties.
  public struct PropertyMetadata {
    let name: String
    let keypath: AnyKeyPath
    let defaultValue: Any?
    let metadata: (any Sendable)?

    /// Says what there is to know of a property.
    public init(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil,
      metadata: (any SchemaProperty)? = nil
    ) {
      self.name = name
      self.keypath = keypath
      self.defaultValue = defaultValue
      self.metadata = metadata
    }

    /// Lists sets of properties that are unique.
    public init<Model>(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: Unique<Model>
    ) {
      self.name = name
      self.keypath = keypath
      self.defaultValue = defaultValue
      self.metadata = metadata
    }

    /// Lists indexes.
    public init<Model>(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: Index<Model>
    ) {
      self.name = name
      self.keypath = keypath
      self.defaultValue = defaultValue
      self.metadata = metadata
    }
  }
}

/// What a property is, by its type.
enum PropertyKind {
  /// A value in one column.
  case value(SchemaAttributeType, isOptional: Bool)
  /// A value in one column by its raw value.
  case raw(SchemaAttributeType, any RawRepresentable.Type, isOptional: Bool)
  /// A value of any encodable type; as it is, or always encoded.
  case codable(any Codable.Type, isOpaque: Bool, isOptional: Bool)
  /// A value that a transformer makes bytes of.
  case transformed(String, isOptional: Bool)
  /// One other model.
  case toOne(any PersistentModel.Type, isOptional: Bool)
  /// Several other models.
  case toMany(any PersistentModel.Type, isOptional: Bool, isOrdered: Bool)
  /// Nothing that can be kept.
  case unsupported

  init(_ type: any Any.Type, _ options: [Schema.Attribute.Option] = []) {
    if let name = options.lazy.compactMap({ $0.transformerName }).first {
      self = .transformed(name, isOptional: type is any OptionalValue.Type)
    } else if options.contains(.codable) {
      let wrapped = (type as? any OptionalValue.Type)?.wrappedType
      guard let codable = (wrapped ?? type) as? any Codable.Type else {
        self = .unsupported
        return
      }
      self = .codable(codable, isOpaque: true, isOptional: wrapped != nil)
    } else {
      self.init(plain: type)
    }
  }

  private init(plain type: any Any.Type) {
    switch type {
    case let value as any StorableValue.Type:
      self = .value(value._attributeType, isOptional: value._isOptional)
    case let many as any RelationshipCollection.Type:
      self = Self.many(many)
    case let one as any PersistentModel.Type:
      self = .toOne(one, isOptional: false)
    case let optional as any OptionalValue.Type:
      self = PropertyKind(plain: optional.wrappedType).optional
    case let raw as any RawRepresentable.Type:
      self = Self.raw(raw, type)
    case let codable as any Codable.Type:
      self = .codable(codable, isOpaque: false, isOptional: false)
    default: self = .unsupported
    }
  }

  private static func many<Many: RelationshipCollection>(_ type: Many.Type) -> PropertyKind {
    .toMany(
      Many.PersistentElement.self, isOptional: type._isOptional, isOrdered: type._isOrdered)
  }

  private static func raw<Raw: RawRepresentable>(
    _ type: Raw.Type, _ any: any Any.Type
  ) -> PropertyKind {
    // The accessors go by the raw value, also where that may be missing: then the column may be empty.
    if let value = Raw.RawValue.self as? any StorableValue.Type {
      return .raw(value._attributeType, type, isOptional: value._isOptional)
    }
    guard let codable = any as? any Codable.Type else { return .unsupported }
    return .codable(codable, isOpaque: false, isOptional: false)
  }

  private var optional: PropertyKind {
    switch self {
    case .value(let type, _): .value(type, isOptional: true)
    case .raw(let type, let raw, _): .raw(type, raw, isOptional: true)
    case .codable(let type, let isOpaque, _):
      .codable(type, isOpaque: isOpaque, isOptional: true)
    case .transformed(let name, _): .transformed(name, isOptional: true)
    case .toOne(let type, _): .toOne(type, isOptional: true)
    case .toMany(let type, _, let isOrdered):
      .toMany(type, isOptional: true, isOrdered: isOrdered)
    case .unsupported: .unsupported
    }
  }

  var isOptional: Bool {
    switch self {
    case .value(_, let isOptional), .raw(_, _, let isOptional), .codable(_, _, let isOptional),
      .transformed(_, let isOptional), .toOne(_, let isOptional), .toMany(_, let isOptional, _):
      isOptional
    case .unsupported: false
    }
  }

  /// What the schema calls the values; nil for models.
  var attributeType: SchemaAttributeType? {
    switch self {
    case .value(let type, _), .raw(let type, _, _): type
    case .codable, .transformed: .transformable
    case .toOne, .toMany: nil
    case .unsupported: .undefined
    }
  }

  /// The class of related models; nil for values.
  var destination: (any PersistentModel.Type)? {
    switch self {
    case .toOne(let type, _), .toMany(let type, _, _): type
    default: nil
    }
  }
}

/// An optional, whatever it wraps.
protocol OptionalValue {
  static var wrappedType: any Any.Type { get }
  static var noValue: Any { get }
  var isNone: Bool { get }
  /// The key path from an optional to what it wraps.
  static var unwrapping: AnyKeyPath { get }
}

extension Optional: OptionalValue {
  static var wrappedType: any Any.Type { Wrapped.self }
  static var noValue: Any { Self(nilLiteral: ()) as Any }
  var isNone: Bool { self == nil }
  static var unwrapping: AnyKeyPath { \Self.self! }
}

extension FieldValue {
  /// A declared default as the schema has it; nil for what is not the same for every new object, and for
  /// what is no value of the type.
  init?(defaultValue: Any?, of type: SchemaAttributeType) {
    guard let defaultValue, let value = FieldValue(captured: defaultValue), value != .null else {
      return nil
    }
    switch (type.valueKind, value) {
    case (.double, .integer(let number)): self = .double(Double(number))
    case (.decimal, .integer(let number)): self = .decimal(Decimal(number))
    case (.decimal, .double(let number)): self = .decimal(Decimal(number))
    // Now is another moment for each object.
    case (.date, _), (.uuid, _): return nil
    case (let kind?, let value) where kind == value.kind: self = value
    default: return nil
    }
  }
}
