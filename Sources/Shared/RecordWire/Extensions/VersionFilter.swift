/// Leaves out records that are made for later versions of a program: Contrail's own.
///
/// For some record types it names the field that tells a record's version, and says up to which version
/// records are wanted. A record without a number in that field counts as of the lowest version, and
/// types that are not named are wanted in any.
public struct VersionFilter: Hashable, Sendable {
  /// The field of the version, by record type.
  public var fields: [String: String]
  /// The highest version that is wanted.
  public var max: Int64

  /// Wants records up to a version.
  public init(fields: [String: String], max: Int64) {
    self.fields = fields
    self.max = max
  }

  /// The types in the order of their bytes.
  var types: [String] {
    fields.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// A hash of the types and their fields, which tokens carry: two filters that differ only in their
  /// versions have the same.
  public var fingerprint: UInt64 {
    types.reduce(Digest128.zero) { digest, type in
      let typed = Murmur128.hash(type, from: digest)
      return Murmur128.hash(fields[type] ?? "", from: typed)
    }.low
  }
}

/// Tells the versions of records by a filter.
public struct VersionReader: Sendable {
  private let fields: [String: String]
  private let keys: [String: DesiredKeys]

  /// Reads the fields that a filter names.
  public init(_ filter: VersionFilter) {
    fields = filter.fields
    keys = filter.fields.mapValues { DesiredKeys([$0]) }
  }

  /// The version of a record; the lowest number of all where it tells none.
  public func version(ofType type: String, _ stored: FieldBytes) -> Int64 {
    guard let name = fields[type], let keys = keys[type],
      let field = try? stored.filtered(by: keys).fields()[name]
    else { return .min }
    if case .int64(let version) = field.value { return version }
    return .min
  }
}
