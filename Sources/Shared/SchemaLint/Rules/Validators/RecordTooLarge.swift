import DataModel

extension Rule {
  /// The estimate, of which each part is a lower bound: names as they are sent, 8 bytes for numbers
  /// and dates, 36 for a UUID, and for text and bytes the default value or the greatest length that
  /// is allowed, whichever is more; without either, and outside of the record, they count nothing.
  static let recordTooLarge = Rule(
    "record-too-large", .validator, .error,
    summary: "A record with its default values and longest allowed texts is within the size limit.",
    why: "the server refuses larger records, and the mirroring does not load such a store",
    fix: "shorten the default value or the maximum length, or keep the bytes in external storage",
    check: entity(.mirrored) { site in
      guard !site.entity.isAbstract else { return nil }
      let bytes = site.schema.allAttributes(of: site.entity)
        .reduce(site.entity.name.utf8.count + uuidBytes) { sum, attribute in
          sum + recordBytes(of: attribute, in: site.schema, nesting: 0)
        }
      guard let limit = recordBytesMax[site.context.profile], bytes >= limit else { return nil }
      return (nil, "needs up to \(bytes) bytes for a record, and the limit is \(limit)")
    })

  /// Core Data's own limit for what it calls a representative record; the server's for a record.
  private static let recordBytesMax: [LintProfile: Int] = [
    .cloudkit: 700_000, .contrail: 1_000_000,
  ]

  private static let uuidBytes = 36
  private static let nestingMax = 8

  private static func recordBytes(
    of attribute: Schema.Attribute, in schema: Schema, nesting: Int
  ) -> Int {
    guard attribute.isStored, !attribute.options.contains(.externalStorage) else { return 0 }
    if let name = attribute.compositeName, let composite = schema.composite(name) {
      guard nesting < nestingMax else { return 0 }
      return composite.attributes.reduce(0) {
        $0 + recordBytes(of: $1, in: schema, nesting: nesting + 1)
      }
    }
    return attribute.name.utf8.count + valueBytes(of: attribute)
  }

  private static func valueBytes(of attribute: Schema.Attribute) -> Int {
    switch attribute.type {
    case .uuid: return uuidBytes
    case .string, .uri, .binaryData, .transformable:
      let allowed = attribute.validation.maximum.flatMap { Int($0) } ?? 0
      return max(allowed, defaultBytes(attribute.defaultValue))
    default: return 8
    }
  }

  private static func defaultBytes(_ value: FieldValue?) -> Int {
    switch value {
    case .string(let text), .uri(let text): text.utf8.count
    case .data(let bytes): bytes.count
    default: 0
    }
  }
}
