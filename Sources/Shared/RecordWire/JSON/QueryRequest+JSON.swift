public import JSONStream

extension QueryRequest: WireRequest {
  /// Reads the body of `records/query`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var query: RecordQuery?
    self.init(RecordQuery(recordType: ""))
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "query":
        query = try json.optional("query") { reader in
          try RecordQuery(reading: &reader, limits)
        }
      case "zoneID": zone = try json.zone("zoneID", limits)
      case "resultsLimit": resultsLimit = try json.count("resultsLimit")
      case "continuationMarker":
        continuationMarker = try json.text("continuationMarker", max: limits.tokenBytesMax)
      case "zoneWide": isZoneWide = try json.truth("zoneWide")
      case "desiredKeys": desiredKeys = try json.desiredKeys("desiredKeys", limits)
      case "numbersAsStrings", "numberAsStrings":
        numbersAsStrings = try json.truth("numbersAsStrings") ?? false
      default: break
      }
    }
    self.query = try query.required("query")
  }

  /// Writes the body of `records/query`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("query")
      query.write(to: &json)
      json.member("zoneID", ifPresent: zone)
      json.member("resultsLimit", ifPresent: resultsLimit)
      json.member("continuationMarker", ifPresent: continuationMarker)
      json.member("zoneWide", ifPresent: isZoneWide)
      json.member("desiredKeys", ifPresent: desiredKeys)
      json.member("numbersAsStrings", ifTrue: numbersAsStrings)
    }
  }
}

extension RecordQuery {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var recordType: String?
    self.init(recordType: "")
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordType": recordType = try json.name("recordType", limits)
      case "filterBy":
        filters =
          try json.list("filterBy", max: limits.clausesMax) { reader in
            try QueryFilter(reading: &reader, limits)
          } ?? []
      case "sortBy":
        sorts =
          try json.list("sortBy", max: limits.clausesMax) { reader in
            try QuerySort(reading: &reader, limits)
          } ?? []
      default: break
      }
    }
    self.recordType = try recordType.required("recordType")
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("recordType", recordType)
      if !filters.isEmpty {
        json.key("filterBy")
        json.array { json in
          for filter in filters { filter.write(to: &json) }
        }
      }
      if !sorts.isEmpty {
        json.key("sortBy")
        json.array { json in
          for sort in sorts { sort.write(to: &json) }
        }
      }
    }
  }
}

/// The names of a field in a filter or a sort order, of which one has to be there.
private struct QueryFieldDraft {
  var field: String?
  var system: SystemField?

  /// A system field may also come by its name in the schema, as an ordinary one.
  func queryField() throws(WireError) -> QueryField {
    if let system { return .system(system) }
    let name = try field.required("fieldName")
    return SystemField(schemaName: name).map { .system($0) } ?? .field(name)
  }

  mutating func readSystem(_ json: inout JSONReader) throws {
    if try json.readNull() { return }
    system = try json.word("systemFieldName", "the name of a system field such as recordName")
  }
}

extension QueryField {
  func write(to json: inout JSONWriter) {
    switch self {
    case .field(let name): json.member("fieldName", name)
    case .system(let field): json.member("systemFieldName", field.rawValue)
    }
  }
}

extension QueryFilter {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var comparator: Comparator?
    var field = QueryFieldDraft()
    var value: RecordField?
    var distance: Double?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "comparator": comparator = try json.word("comparator", "a comparator such as EQUALS")
      case "fieldName": field.field = try json.name("fieldName", limits)
      case "systemFieldName": try field.readSystem(&json)
      case "fieldValue":
        value = try json.optional("fieldValue") { reader in
          try RecordField(reading: &reader, limits)
        }
      case "distance":
        distance = try json.optional("distance") { reader in try reader.readDouble() }
      default: break
      }
    }
    self.init(
      try field.queryField(), try comparator.required("comparator"), .null, distance: distance)
    self.value = try value.required("fieldValue")
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("comparator", comparator.rawValue)
      field.write(to: &json)
      json.key("fieldValue")
      value.write(to: &json)
      json.member("distance", ifPresent: distance)
    }
  }
}

extension QuerySort {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var field = QueryFieldDraft()
    var isAscending = true
    var relativeLocation: RecordLocation?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "fieldName": field.field = try json.name("fieldName", limits)
      case "systemFieldName": try field.readSystem(&json)
      case "ascending": isAscending = try json.truth("ascending") ?? true
      case "relativeLocation": relativeLocation = try json.relativeLocation(limits)
      default: break
      }
    }
    self.init(
      try field.queryField(), isAscending: isAscending, relativeLocation: relativeLocation)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      field.write(to: &json)
      json.member("ascending", isAscending)
      if let relativeLocation {
        json.key("relativeLocation")
        relativeLocation.write(to: &json)
      }
    }
  }
}

extension JSONReader {
  /// Reads a place, bare or as a field's value, or null as nil.
  fileprivate mutating func relativeLocation(_ limits: WireLimits) throws -> RecordLocation? {
    try optional("relativeLocation") { reader in
      let range = try reader.skipValue()
      let bytes = reader.bytes(in: range)
      if let bare = try? JSONReader.read(bytes, { inner in try RecordLocation(reading: &inner) }) {
        return bare
      }
      let field = try JSONReader.read(bytes, limits: limits.json) { inner in
        try RecordField(reading: &inner, limits)
      }
      switch field.value {
      case .location(let location), .untyped(.location(let location)): return location
      default:
        throw WireError(.wrongShape, expected: "a value of type LOCATION", found: "another value")
      }
    }
  }
}
