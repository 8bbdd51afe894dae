public import DataModel
import Foundation
public import SyncCore

/// A property of a schema's entity: an attribute or a relationship.
public protocol SchemaProperty: Codable, Hashable, Sendable {
  /// The property's name.
  var name: String { get }
  /// The name by which an earlier version knew it.
  var originalName: String { get }
  /// The type of its values.
  var valueType: any Any.Type { get }
  /// Whether it holds values.
  var isAttribute: Bool { get }
  /// Whether it holds other models.
  var isRelationship: Bool { get }
  /// Whether it is never stored.
  var isTransient: Bool { get }
  /// Whether it may be without a value.
  var isOptional: Bool { get }
  /// Whether no two models share a value.
  var isUnique: Bool { get }
}

extension Schema {
  /// A property that holds values.
  ///
  /// Unchecked: nothing in it changes once it is made, and a default value is a literal's.
  public class Attribute: SchemaProperty, @unchecked Sendable {
    /// The property's name.
    public let name: String
    /// The name by which an earlier version knew it; its name where there is none.
    public let originalName: String
    /// How values are kept.
    public let options: [Option]
    /// The type of its values.
    public let valueType: any Any.Type
    /// What a new model starts with, where that is the same for all.
    public let defaultValue: Any?
    /// Whether it may be without a value.
    public let isOptional: Bool
    /// Text that changes the version hash without another change.
    public let hashModifier: String?
    /// What `Schema.attributeType` says of the values.
    public let attributeType: SchemaAttributeType

    /// Says how a property is kept; the property's name and type come with its class.
    public convenience init(
      _ options: Option..., originalName: String? = nil, hashModifier: String? = nil
    ) {
      self.init(
        name: "", originalName: originalName, options: options, valueType: Any.self,
        hashModifier: hashModifier)
    }

    /// Describes an attribute.
    public convenience init(
      name: String, originalName: String? = nil, options: [Option] = [],
      valueType: any Any.Type, defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      let kind = PropertyKind(valueType, options)
      self.init(
        name: name, originalName: originalName, options: options, valueType: valueType,
        defaultValue: defaultValue, isOptional: kind.isOptional, hashModifier: hashModifier,
        attributeType: kind.attributeType ?? .undefined)
    }

    init(
      name: String, originalName: String?, options: [Option], valueType: any Any.Type,
      defaultValue: Any?, isOptional: Bool, hashModifier: String?,
      attributeType: SchemaAttributeType
    ) {
      self.name = name
      self.originalName = originalName ?? name
      self.options = options
      self.valueType = valueType
      self.defaultValue = defaultValue
      self.isOptional = isOptional
      self.hashModifier = hashModifier
      self.attributeType = attributeType
    }

    /// Attributes hold values.
    public var isAttribute: Bool { true }
    /// Attributes hold no models.
    public var isRelationship: Bool { false }
    /// Whether it is never stored.
    public var isTransient: Bool { options.contains(.ephemeral) }
    /// Whether no two models share a value.
    public var isUnique: Bool { options.contains(.unique) }
    /// Whether a transformer makes bytes of the values.
    public var isTransformable: Bool { transformerName != nil }
    /// Whether values are kept encoded, whatever they are.
    public var isCodable: Bool { options.contains(.codable) }
    /// The name of the transformer, if there is one.
    public var transformerName: String? {
      options.lazy.compactMap { $0.transformerName }.first
    }

    /// The members of one that is made of several values.
    private var members: [Attribute]? { (self as? CompositeAttribute)?.properties }

    /// Whether both say the same.
    public static func == (first: Attribute, second: Attribute) -> Bool {
      first.name == second.name && first.originalName == second.originalName
        && first.options == second.options && first.isOptional == second.isOptional
        && first.hashModifier == second.hashModifier
        && first.attributeType == second.attributeType && first.members == second.members
    }

    /// Feeds what tells attributes apart into a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(attributeType)
    }

    private enum CodingKeys: String, CodingKey {
      case name, originalName, options, isOptional, hashModifier, attributeType
    }

    /// Reads what `encode` wrote; the Swift type of the values is not among it.
    public required init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      name = try values.decode(String.self, forKey: .name)
      originalName = try values.decode(String.self, forKey: .originalName)
      options = try values.decode([Option].self, forKey: .options)
      isOptional = try values.decode(Bool.self, forKey: .isOptional)
      hashModifier = try values.decodeIfPresent(String.self, forKey: .hashModifier)
      attributeType = SchemaAttributeType(
        rawValue: try values.decode(String.self, forKey: .attributeType))
      valueType = Any.self
      defaultValue = nil
    }

    /// Writes all but the Swift type and the default.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(name, forKey: .name)
      try values.encode(originalName, forKey: .originalName)
      try values.encode(options, forKey: .options)
      try values.encode(isOptional, forKey: .isOptional)
      try values.encodeIfPresent(hashModifier, forKey: .hashModifier)
      try values.encode(attributeType.rawValue, forKey: .attributeType)
    }
  }

  /// An attribute that is made of several values, one column each: a structure.
  ///
  /// ```swift
  /// let place = entity.attributesByName["place"] as? Schema.CompositeAttribute
  /// print(place?.properties.map(\.name) ?? [])   // ["street", "town"]
  /// ```
  public final class CompositeAttribute: Attribute, @unchecked Sendable {
    /// The members.
    public let properties: [Attribute]

    init(_ whole: Attribute, _ properties: [Attribute]) {
      self.properties = properties
      super.init(
        name: whole.name, originalName: whole.originalName, options: whole.options,
        valueType: whole.valueType, defaultValue: whole.defaultValue, isOptional: whole.isOptional,
        hashModifier: whole.hashModifier, attributeType: .composite)
    }

    private enum CodingKeys: String, CodingKey {
      case properties
    }

    /// Reads what `encode` wrote; the Swift types of the values are not among it.
    public required init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      properties = try values.decode([Member].self, forKey: .properties).map(\.attribute)
      try super.init(from: decoder)
    }

    /// Writes all but the Swift types and the default.
    public override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(properties, forKey: .properties)
    }

    /// A member, which may have members of its own.
    private struct Member: Decodable {
      let attribute: Attribute

      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        attribute =
          try values.contains(.properties)
          ? CompositeAttribute(from: decoder) : Attribute(from: decoder)
      }
    }
  }
}

extension Schema.Attribute {
  /// How an attribute's values are kept.
  public struct Option: Hashable, Codable, Sendable {
    let text: String
    let transformerName: String?
    let mergeRule: MergeRule.Name?

    private init(
      _ text: String, transformerName: String? = nil, mergeRule: MergeRule.Name? = nil
    ) {
      self.text = text
      self.transformerName = transformerName
      self.mergeRule = mergeRule
    }

    /// No two models share a value; one that is inserted with a value that another has updates that one.
    public static let unique = Option("unique")
    /// Large values are files beside the store.
    public static let externalStorage = Option("externalStorage")
    /// The server sees only an encrypted form.
    public static let allowsCloudEncryption = Option("allowsCloudEncryption")
    /// History keeps the value when the model is deleted.
    public static let preserveValueOnDeletion = Option("preserveValueOnDeletion")
    /// Changes are tracked, values are not stored.
    public static let ephemeral = Option("ephemeral")
    /// Indexed for search.
    public static let spotlight = Option("spotlight")
    /// Values are kept encoded, whatever they are.
    public static let codable = Option("codable")

    /// Where a store is mirrored, edits that devices made without knowledge of each other become one by that
    /// rule, and not by which is later.
    ///
    /// ```swift
    /// @Attribute(.merged(by: .counter)) var likes = 0
    /// ```
    public static func merged(by rule: MergeRule.Name) -> Option {
      Option("merged", mergeRule: rule)
    }

    /// The transformer of that class makes bytes of the values.
    public static func transformable(by type: ValueTransformer.Type) -> Option {
      Option("transformable", transformerName: type.name)
    }

    /// The transformer that is registered under that name makes bytes of the values.
    public static func transformable(by name: String) -> Option {
      Option("transformable", transformerName: name)
    }
  }
}

extension [Schema.Attribute.Option] {
  /// The options as the schema behind has them.
  var stored: DataModel.Schema.Attribute.Options {
    var result: DataModel.Schema.Attribute.Options = []
    for option in self { result.formUnion(Self.storedRows[option.text] ?? []) }
    return result
  }

  private static let storedRows: [String: DataModel.Schema.Attribute.Options] = [
    "externalStorage": .externalStorage, "allowsCloudEncryption": .encrypted,
    "preserveValueOnDeletion": .preservedOnDeletion, "ephemeral": .ephemeral,
    "spotlight": .spotlight,
  ]
}
