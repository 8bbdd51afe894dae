extension Schema {
  /// A property that holds a value.
  public struct Attribute: Hashable, Sendable {
    /// The attribute's name, unique among its entity's properties.
    public var name: String
    /// What its values are.
    public var type: AttributeType
    /// The composite type's name, when `type` is `composite`.
    public var compositeName: String?
    /// Whether it may be without a value.
    public var isOptional: Bool
    /// What a new object starts with.
    ///
    /// A text that is no value of `type` is kept as a string, so that a lint can name it.
    public var defaultValue: FieldValue?
    /// How its values are kept.
    public var options: Options
    /// The name by which an earlier version knew this attribute.
    public var renamingIdentifier: String?
    /// Text that changes the version hash without another change.
    public var hashModifier: String?
    /// The transformer of a `transformable` attribute.
    public var transformerName: String?
    /// The class of a `transformable` attribute's values.
    public var valueClassName: String?
    /// The expression of a derived attribute; nil for one that is set.
    public var derivation: String?
    /// What values must satisfy.
    public var validation: Validation
    /// Free annotations.
    public var userInfo: [String: String]

    /// Makes an attribute of `type`.
    public init(
      name: String, type: AttributeType, compositeName: String? = nil, isOptional: Bool = false,
      defaultValue: FieldValue? = nil, options: Options = [], renamingIdentifier: String? = nil,
      hashModifier: String? = nil, transformerName: String? = nil, valueClassName: String? = nil,
      derivation: String? = nil, validation: Validation = Validation(),
      userInfo: [String: String] = [:]
    ) {
      self.name = name
      self.type = type
      self.compositeName = compositeName
      self.isOptional = isOptional
      self.defaultValue = defaultValue
      self.options = options
      self.renamingIdentifier = renamingIdentifier
      self.hashModifier = hashModifier
      self.transformerName = transformerName
      self.valueClassName = valueClassName
      self.derivation = derivation
      self.validation = validation
      self.userInfo = userInfo
    }
  }
}

extension Schema.Attribute {
  /// How an attribute's values are kept.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options' bits.
    public let rawValue: UInt16

    /// Takes bits as they are.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Never stored.
    public static let transient = Options(rawValue: 1 << 0)
    /// Large values are files beside the store.
    public static let externalStorage = Options(rawValue: 1 << 1)
    /// The server sees only an encrypted form.
    public static let encrypted = Options(rawValue: 1 << 2)
    /// Indexed for full-text search.
    public static let spotlight = Options(rawValue: 1 << 3)
    /// Kept in history when its object is deleted.
    public static let preservedOnDeletion = Options(rawValue: 1 << 4)
    /// Changes are tracked but not stored.
    public static let ephemeral = Options(rawValue: 1 << 5)
    /// Concurrent edits of the value's parts merge; CloudKit does not mirror it.
    public static let mergeableStorage = Options(rawValue: 1 << 6)

    /// Every option with the name that files and messages use for it.
    public static let named: [(name: String, option: Options)] = [
      ("transient", .transient), ("externalStorage", .externalStorage), ("encrypted", .encrypted),
      ("spotlight", .spotlight), ("preservedOnDeletion", .preservedOnDeletion),
      ("ephemeral", .ephemeral), ("mergeableStorage", .mergeableStorage),
    ]
  }

  /// Limits that a value must keep: of a number or date its range, of a text its length.
  public struct Validation: Hashable, Sendable {
    /// The least value or length, as the model spells it.
    public var minimum: String?
    /// The greatest value or length, as the model spells it.
    public var maximum: String?
    /// A regular expression that a text must match.
    public var pattern: String?

    /// Makes limits; without arguments there are none.
    public init(minimum: String? = nil, maximum: String? = nil, pattern: String? = nil) {
      self.minimum = minimum
      self.maximum = maximum
      self.pattern = pattern
    }
  }

  /// Whether its values are stored, and so concern migration and sync.
  public var isStored: Bool { options.isDisjoint(with: [.transient, .ephemeral]) }
}
