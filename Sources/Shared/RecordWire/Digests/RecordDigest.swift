import DataModel

/// What tells a record's content from any other: made the same way by clients and servers, so that they
/// can compare what they have without sending it.
///
/// It is a hash over three texts: the record's name, its type, and its fields in canonical form. That is
/// the compact JSON that `FieldBytes(_:)` writes, with the names in the order of their bytes; without
/// fields that are null; and with nothing of an asset but `fileChecksum` and `size`, since the rest is
/// there to fetch the file and changes. Change tags, stamps, parents and shares do not count.
///
/// The hash is MurmurHash3 (x64, 128 bits): that of the name begins with zeros, that of the type with the
/// hash of the name, and that of the fields with the hash of the type.
public struct RecordDigest: Hashable, Sendable {
  /// How many buckets there are.
  public static let bucketCount = 256

  /// The part of its zone that the record belongs to, whatever its content: the lowest byte of the
  /// hash of its name.
  public let bucket: Int
  /// The digest.
  public let value: Digest128

  /// The bucket of the record of that name.
  public static func bucket(of name: String) -> Int {
    bucket(Murmur128.hash(name, from: .zero))
  }

  private static func bucket(_ named: Digest128) -> Int { Int(named.low & 0xff) }

  /// The digest of a record whose fields are in canonical form, which is not looked at again.
  public static func of(
    name: String, type: String, canonical fields: FieldBytes
  ) -> RecordDigest {
    let named = Murmur128.hash(name, from: .zero)
    let typed = Murmur128.hash(type, from: named)
    let whole = fields.json.withUnsafeBytes { Murmur128.hash($0, from: typed) }
    return RecordDigest(bucket: bucket(named), value: whole)
  }

  /// The digest of a record with these fields.
  public static func of(
    name: String, type: String, fields: RecordFields
  ) throws(WireError) -> RecordDigest {
    of(name: name, type: type, canonical: try FieldBytes(fields.canonical))
  }

  /// The digest of a record whose fields stand in a message.
  public static func of(
    name: String, type: String, fields: FieldBytes
  ) throws(WireError) -> RecordDigest {
    try of(name: name, type: type, fields: try fields.fields())
  }
}

extension RecordFields {
  /// The fields as digests count them: those that have a value, and of assets only what tells files
  /// apart.
  public var canonical: RecordFields {
    if !entries.contains(where: { $0.field.value.isCanonizable }) { return self }
    return RecordFields(
      distinct: entries.compactMap { entry in
        if entry.field.value == .null { return nil }
        var field = entry.field
        field.value = field.value.canonical
        return Entry(name: entry.name, field: field)
      })
  }
}

extension RecordValue {
  /// Whether the canonical form of fields with this value may be another one.
  fileprivate var isCanonizable: Bool {
    switch self {
    case .null, .asset, .list(_, .asset): true
    default: false
    }
  }

  fileprivate var canonical: RecordValue {
    switch self {
    case .asset(let asset):
      .asset(RecordAsset(fileChecksum: asset.fileChecksum, size: asset.size))
    case .list(let elements, .asset): .list(elements.map(\.canonical), of: .asset)
    default: self
    }
  }
}
