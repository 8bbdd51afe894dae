import JSONStream

extension VersionFilter {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var fields: [String: String]?
    var max: Int64?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "fields":
        fields = try json.optional("fields") { reader in
          try Self.fields(&reader, limits)
        }
      case "max": max = try json.whole("max")
      default: break
      }
    }
    self.init(fields: try fields.required("fields"), max: try max.required("max"))
  }

  private static func fields(
    _ json: inout JSONReader, _ limits: WireLimits
  ) throws -> [String: String] {
    var fields: [String: String] = [:]
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      let type = key.string
      guard !type.isEmpty, type.utf8.count <= limits.nameBytesMax else {
        throw WireError.tooMany(
          "bytes of a record type, and one", max: limits.nameBytesMax,
          found: "\(type.utf8.count) bytes")
      }
      fields[type] = try json.name("field", limits)
      guard fields.count <= limits.clausesMax else {
        throw WireError.tooMany("record types", max: limits.clausesMax, found: "more")
      }
    }
    return fields
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("fields")
      json.object { json in
        for type in types {
          json.key(type)
          json.string(fields[type] ?? "")
        }
      }
      json.member("max", max)
    }
  }
}

extension JSONReader {
  /// Reads a filter of versions, or null as nil.
  mutating func versionFilter(
    _ name: StaticString, _ limits: WireLimits
  ) throws -> VersionFilter? {
    try optional(name) { reader in try VersionFilter(reading: &reader, limits) }
  }
}

extension JSONWriter {
  /// Writes a filter of versions, and nothing at all for nil.
  mutating func member(_ key: StaticString, ifPresent filter: VersionFilter?) {
    guard let filter else { return }
    self.key(key)
    filter.write(to: &self)
  }
}
