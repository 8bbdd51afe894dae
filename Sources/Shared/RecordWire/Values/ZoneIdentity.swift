/// Which zone of a database: its name, and whose it is.
///
/// Two identities are equal when name and owner are: the kind is what a server tells about the zone,
/// and requests leave it out.
public struct ZoneIdentity: Sendable {
  /// The name of the zone that every database has.
  public static let defaultName = "_defaultZone"
  /// The zone that every database has, of whoever asks.
  public static let defaultZone = ZoneIdentity(name: defaultName)

  /// The zone's name, unique among its owner's zones.
  public var name: String
  /// The record name of the user whose zone it is; nil means whoever asks.
  public var owner: String?
  /// What kind of zone it is; nil where nobody said.
  public var kind: ZoneKind?

  /// Names a zone.
  public init(name: String, owner: String? = nil, kind: ZoneKind? = nil) {
    self.name = name
    self.owner = owner
    self.kind = kind
  }

  /// Whether this is the zone that every database has.
  public var isDefault: Bool { name == Self.defaultName }
}

extension ZoneIdentity: Hashable {
  /// Compares name and owner.
  public static func == (left: ZoneIdentity, right: ZoneIdentity) -> Bool {
    left.name == right.name && left.owner == right.owner
  }

  /// Feeds name and owner to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(owner)
  }
}

extension ZoneIdentity: CustomStringConvertible {
  /// The name, and after a slash before it the owner: `_abc/Notes`.
  public var description: String { owner.map { "\($0)/\(name)" } ?? name }
}

/// What kind of zone it is, as the wire spells it; others than the two known ones may come.
public struct ZoneKind: RawRepresentable, Hashable, Sendable {
  /// The wire's word.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The zone that every database has.
  public static let standard = ZoneKind(rawValue: "DEFAULT_ZONE")
  /// A zone that somebody made.
  public static let custom = ZoneKind(rawValue: "REGULAR_CUSTOM_ZONE")
}
