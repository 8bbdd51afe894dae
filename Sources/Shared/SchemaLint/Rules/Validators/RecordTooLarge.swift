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
    check: { pass in
      guard let schema = pass.subject.schema else { return [] }
      let sizes = RecordSizes(schema)
      return Rule.entity(.mirrored) { site in
        guard !site.entity.isAbstract, let limit = recordBytesMax[site.context.profile] else {
          return nil
        }
        let bytes = sizes.recordBytes(of: site.entity, in: site.schema)
        guard bytes >= limit else { return nil }
        return (nil, "needs up to \(bytes) bytes for a record, and the limit is \(limit)")
      }(pass)
    })

  /// Core Data's own limit for what it calls a representative record; the server's for a record.
  private static let recordBytesMax: [LintProfile: Int] = [
    .cloudkit: 700_000, .contrail: 1_000_000,
  ]
}

/// How many bytes records need at most; sums end at the greatest number, as files may ask for more.
private struct RecordSizes {
  private static let uuidBytes = 36
  /// Composite types may nest, and a file may nest them in a circle.
  private static let nestingMax = 8

  /// The bytes of each composite type's members, those that are nested deeper than that left out.
  private var composites: [String: Int] = [:]

  /// Each round adds one level of nesting to all types at once, however often one uses another.
  init(_ schema: Schema) {
    for composite in schema.composites { composites[composite.name] = 0 }
    for _ in 0..<Self.nestingMax {
      let inner = self
      for composite in schema.composites {
        composites[composite.name] = inner.bytes(of: composite.attributes)
      }
      if composites == inner.composites { return }
    }
  }

  func recordBytes(of entity: Schema.Entity, in schema: Schema) -> Int {
    bytes(of: schema.allAttributes(of: entity))
      .addingSaturated(entity.name.utf8.count + Self.uuidBytes)
  }

  private func bytes(of attributes: [Schema.Attribute]) -> Int {
    attributes.reduce(0) { $0.addingSaturated(bytes(of: $1)) }
  }

  private func bytes(of attribute: Schema.Attribute) -> Int {
    guard attribute.isStored, !attribute.options.contains(.externalStorage) else { return 0 }
    if let name = attribute.compositeName, let bytes = composites[name] { return bytes }
    return Self.valueBytes(of: attribute).addingSaturated(attribute.name.utf8.count)
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

extension Int {
  /// The sum of two counts, or the greatest number where that is too small for it.
  fileprivate func addingSaturated(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
