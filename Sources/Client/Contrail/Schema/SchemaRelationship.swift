import DataModel
import Foundation

extension Schema {
  /// A property that holds other models.
  ///
  /// Unchecked: nothing in it changes once it is made, and its key paths are compared only.
  public final class Relationship: SchemaProperty, @unchecked Sendable {
    /// The property's name.
    public let name: String
    /// The name by which an earlier version knew it; its name where there is none.
    public let originalName: String
    /// The key path of the property.
    public let keypath: AnyKeyPath?
    /// Options.
    public let options: [Option]
    /// The type of the property.
    public let valueType: any Any.Type
    /// The entity of the related models.
    public let destination: String
    /// What happens to the related models when the holder is deleted.
    public let deleteRule: DeleteRule
    /// The property at the other end.
    public let inverseName: String?
    /// The key path of the property at the other end, where it was given.
    public let inverseKeyPath: AnyKeyPath?
    /// Whether it was said that nothing leads back.
    let hasNoInverse: Bool
    /// The fewest models there may be.
    public let minimumModelCount: Int?
    /// The most models there may be; 0 is no maximum.
    public let maximumModelCount: Int?
    /// Text that changes the version hash without another change.
    public let hashModifier: String?
    /// Whether there may be none.
    public let isOptional: Bool
    /// Whether it holds one model at most.
    public let isToOneRelationship: Bool

    /// Says how models are related; the property's name and type come with its class.
    @_disfavoredOverload
    public convenience init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) {
      self.init(
        name: "", originalName: originalName, keypath: nil, options: options, valueType: Any.self,
        destination: "", deleteRule: deleteRule, inverseName: nil, inverseKeyPath: inverse,
        minimumModelCount: minimumModelCount, maximumModelCount: maximumModelCount,
        hashModifier: hashModifier, isOptional: true, isToOne: true)
    }

    /// Says how models are related where `inverse: nil` is written: no property is looked for that leads back.
    public convenience init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: NoInverse,
      hashModifier: String? = nil
    ) {
      self.init(
        name: "", originalName: originalName, keypath: nil, options: options, valueType: Any.self,
        destination: "", deleteRule: deleteRule, inverseName: nil, inverseKeyPath: nil,
        minimumModelCount: minimumModelCount, maximumModelCount: maximumModelCount,
        hashModifier: hashModifier, isOptional: true, isToOne: true, hasNoInverse: true)
    }

    init(
      name: String, originalName: String?, keypath: AnyKeyPath?, options: [Option],
      valueType: any Any.Type, destination: String, deleteRule: DeleteRule, inverseName: String?,
      inverseKeyPath: AnyKeyPath?, minimumModelCount: Int?, maximumModelCount: Int?,
      hashModifier: String?, isOptional: Bool, isToOne: Bool, hasNoInverse: Bool = false
    ) {
      self.name = name
      self.originalName = originalName ?? name
      self.keypath = keypath
      self.options = options
      self.valueType = valueType
      self.destination = destination
      self.deleteRule = deleteRule
      self.inverseName = inverseName
      self.inverseKeyPath = inverseKeyPath
      self.minimumModelCount = minimumModelCount
      self.maximumModelCount = maximumModelCount
      self.hashModifier = hashModifier
      self.isOptional = isOptional
      isToOneRelationship = isToOne
      self.hasNoInverse = hasNoInverse
    }

    /// Relationships hold no values.
    public var isAttribute: Bool { false }
    /// Relationships hold models.
    public var isRelationship: Bool { true }
    /// Relationships are stored.
    public var isTransient: Bool { false }
    /// Whether no two models are related to the same one.
    public var isUnique: Bool { options.contains(.unique) }

    /// Whether both say the same.
    public static func == (first: Relationship, second: Relationship) -> Bool {
      first.name == second.name && first.originalName == second.originalName
        && first.destination == second.destination && first.deleteRule == second.deleteRule
        && first.inverseName == second.inverseName && first.isOptional == second.isOptional
        && first.isToOneRelationship == second.isToOneRelationship
        && first.minimumModelCount == second.minimumModelCount
        && first.maximumModelCount == second.maximumModelCount
        && first.hashModifier == second.hashModifier
    }

    /// Feeds what tells relationships apart into a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(destination)
    }

    private enum CodingKeys: String, CodingKey {
      case name, originalName, options, destination, deleteRule, inverseName, minimumModelCount
      case maximumModelCount, hashModifier, isOptional, isToOne
    }

    /// Reads what `encode` wrote; key paths and the Swift type are not among it.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      name = try values.decode(String.self, forKey: .name)
      originalName = try values.decode(String.self, forKey: .originalName)
      options = try values.decode([Option].self, forKey: .options)
      destination = try values.decode(String.self, forKey: .destination)
      deleteRule = try values.decode(DeleteRule.self, forKey: .deleteRule)
      inverseName = try values.decodeIfPresent(String.self, forKey: .inverseName)
      minimumModelCount = try values.decodeIfPresent(Int.self, forKey: .minimumModelCount)
      maximumModelCount = try values.decodeIfPresent(Int.self, forKey: .maximumModelCount)
      hashModifier = try values.decodeIfPresent(String.self, forKey: .hashModifier)
      isOptional = try values.decode(Bool.self, forKey: .isOptional)
      isToOneRelationship = try values.decode(Bool.self, forKey: .isToOne)
      keypath = nil
      inverseKeyPath = nil
      hasNoInverse = false
      valueType = Any.self
    }

    /// Writes all but key paths and the Swift type.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(name, forKey: .name)
      try values.encode(originalName, forKey: .originalName)
      try values.encode(options, forKey: .options)
      try values.encode(destination, forKey: .destination)
      try values.encode(deleteRule, forKey: .deleteRule)
      try values.encodeIfPresent(inverseName, forKey: .inverseName)
      try values.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
      try values.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
      try values.encodeIfPresent(hashModifier, forKey: .hashModifier)
      try values.encode(isOptional, forKey: .isOptional)
      try values.encode(isToOneRelationship, forKey: .isToOne)
    }
  }
}

extension Schema.Relationship {
  /// What happens to the related models when the holder is deleted.
  public enum DeleteRule: String, Codable, Hashable, Sendable, CaseIterable {
    /// Nothing; the other side is left pointing at what is gone.
    case noAction
    /// The other side forgets the model.
    case nullify
    /// They are deleted too.
    case cascade
    /// The deletion is refused while there are any.
    case deny

    var stored: DataModel.Schema.Relationship.DeleteRule {
      DataModel.Schema.Relationship.DeleteRule(rawValue: rawValue) ?? .nullify
    }
  }

  /// What a literal `nil` says where an inverse could be named.
  public struct NoInverse: ExpressibleByNilLiteral, Sendable {
    /// Nothing leads back.
    public init(nilLiteral: ()) {}
  }

  /// An option of a relationship.
  public struct Option: Hashable, Codable, Sendable {
    let text: String

    /// No two models are related to the same one.
    public static let unique = Option(text: "unique")
  }
}
