import RecordWire

/// What a service needs to know to hand out addresses for files.
public struct AssetSetting: Sendable {
  /// The container's name.
  public var container: String
  /// The server's seal.
  public var seal: Seal
  /// Where files go to and come from.
  public var places: AssetPlaces

  /// Describes where files are.
  public init(container: String, seal: Seal, places: AssetPlaces) {
    self.container = container
    self.seal = seal
    self.places = places
  }
}

extension OperationContext {
  /// What makes stored records into those of answers.
  func reading(_ zone: ZoneKey) -> AssetReading? {
    guard let assets = service.assets else { return nil }
    let scope = AssetScope(
      container: assets.container, environment: service.environment, database: zone.database)
    return AssetReading(scope, seal: assets.seal, places: assets.places, now: call.now)
  }

  /// A call about assets.
  func assetCall(_ zone: ZoneKey, _ schema: CurrentSchema) throws(RequestFailure) -> AssetCall {
    guard let assets = service.assets else {
      throw .badRequest("this server does not offer assets")
    }
    var made = AssetCall(
      container: assets.container, zone: zone, caller: call.caller, schema: schema.resolved,
      seal: assets.seal, places: assets.places, now: call.now)
    made.bytesMax = service.limits.assetBytesMax(of: zone.database)
    return made
  }
}
