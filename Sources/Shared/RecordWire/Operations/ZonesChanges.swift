public import JSONStream

/// Asks which zones changed, in the older form of `changes/database`: the request of `zones/changes`.
///
/// Its token goes by another name; who sends it as `syncToken` begins anew, as with the protocol's own
/// servers.
public struct ZonesChangesRequest: Hashable, Sendable {
  /// Where to go on; nil means from the beginning.
  public var metaSyncToken: String?
  /// The most zones of one page.
  public var resultsLimit: Int?

  /// Makes a request.
  public init(metaSyncToken: String? = nil, resultsLimit: Int? = nil) {
    self.metaSyncToken = metaSyncToken
    self.resultsLimit = resultsLimit
  }
}

/// Which zones changed: the answer to `zones/changes`.
public struct ZonesChangesResponse: Hashable, Sendable {
  /// Zones with changes, and deleted ones.
  public var zones: [ZoneResult]
  /// Where to go on.
  public var metaSyncToken: String
  /// Whether there is more now.
  public var isMoreComing: Bool

  /// Makes an answer.
  public init(zones: [ZoneResult], metaSyncToken: String, isMoreComing: Bool) {
    self.zones = zones
    self.metaSyncToken = metaSyncToken
    self.isMoreComing = isMoreComing
  }
}

extension ZonesChangesRequest: WireRequest {
  /// No body asks from the beginning.
  public static var ofNoBody: ZonesChangesRequest? { ZonesChangesRequest() }

  /// Reads the body of `zones/changes`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self.init()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "metaSyncToken":
        metaSyncToken = try json.text("metaSyncToken", max: limits.tokenBytesMax)
      case "resultsLimit": resultsLimit = try json.count("resultsLimit")
      default: break
      }
    }
  }

  /// Writes the body of `zones/changes`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("metaSyncToken", ifPresent: metaSyncToken)
      json.member("resultsLimit", ifPresent: resultsLimit)
    }
  }
}

extension ZonesChangesResponse: WireResponse {
  /// Reads the body of an answer to `zones/changes`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var zones: [ZoneResult]?
    var token: String?
    var isMoreComing = false
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "zones": zones = try json.zones(limits)
      case "metaSyncToken": token = try json.text("metaSyncToken", max: limits.tokenBytesMax)
      case "moreComing": isMoreComing = try json.truth("moreComing") ?? false
      default: break
      }
    }
    self.init(
      zones: try zones.required("zones"), metaSyncToken: try token.required("metaSyncToken"),
      isMoreComing: isMoreComing)
  }

  /// Writes the body of an answer to `zones/changes`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("zones", zones)
      json.member("metaSyncToken", metaSyncToken)
      json.member("moreComing", isMoreComing)
    }
  }
}
