public import JSONStream

/// What a server has beyond the protocol: the answer to `capabilities`.
public struct CapabilitiesResponse: Hashable, Sendable {
  /// What the server calls itself.
  public var server: String
  /// The names of its extensions, in order; a client passes over those that it does not know.
  public var extensions: [String]
  /// How long a request may be, in bytes.
  public var requestBytesMax: Int?
  /// The most operations of `records/modify`.
  public var operationsMax: Int?
  /// The most operations of a `records/modify` that has `contrailBatch`.
  public var batchOperationsMax: Int?
  /// The most records of a page of changes.
  public var pageRecordsMax: Int?
  /// The most records of a page of changes that was asked for with `contrailPageBytes`.
  public var bulkPageRecordsMax: Int?
  /// The most bytes of fields of any page of changes.
  public var pageBytesMax: Int?
  /// The most bytes of a file.
  public var assetBytesMax: Int?

  /// Names a server and its extensions; its limits may be set afterwards.
  public init(server: String, extensions: [String]) {
    self.server = server
    self.extensions = extensions
  }
}

extension CapabilitiesResponse: WireResponse {
  /// Reads the body of an answer to `capabilities`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var server: String?
    var extensions: [String]?
    self.init(server: "", extensions: [])
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "server": server = try json.text("server", max: limits.nameBytesMax)
      case "extensions":
        extensions = try json.list("extensions", max: ExtensionLimits.extensionsMax) { reader in
          try reader.readString()
        }
      default: try readLimit(key, &json)
      }
    }
    self.server = try server.required("server")
    self.extensions = try extensions.required("extensions")
  }

  private mutating func readLimit(
    _ key: borrowing JSONText, _ json: inout JSONReader
  ) throws {
    switch key {
    case "requestBytesMax": requestBytesMax = try json.count("requestBytesMax")
    case "operationsMax": operationsMax = try json.count("operationsMax")
    case "batchOperationsMax": batchOperationsMax = try json.count("batchOperationsMax")
    case "pageRecordsMax": pageRecordsMax = try json.count("pageRecordsMax")
    case "bulkPageRecordsMax": bulkPageRecordsMax = try json.count("bulkPageRecordsMax")
    case "pageBytesMax": pageBytesMax = try json.count("pageBytesMax")
    case "assetBytesMax": assetBytesMax = try json.count("assetBytesMax")
    default: break
    }
  }

  /// Writes the body of an answer to `capabilities`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("server", server)
      json.member("extensions", texts: extensions)
      json.member("requestBytesMax", ifPresent: requestBytesMax)
      json.member("operationsMax", ifPresent: operationsMax)
      json.member("batchOperationsMax", ifPresent: batchOperationsMax)
      json.member("pageRecordsMax", ifPresent: pageRecordsMax)
      json.member("bulkPageRecordsMax", ifPresent: bulkPageRecordsMax)
      json.member("pageBytesMax", ifPresent: pageBytesMax)
      json.member("assetBytesMax", ifPresent: assetBytesMax)
    }
  }
}
