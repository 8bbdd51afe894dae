import RecordWire

/// What calls about assets depend on beside the request.
public struct AssetCall: Sendable {
  /// The container's name.
  public var container: String
  /// The zone of the records.
  public var zone: ZoneKey
  /// Who asks.
  public var caller: RecordCaller
  /// The schema as it is in this transaction; it says which environment it is about.
  public var schema: ResolvedSchema
  /// The server's seal.
  public var seal: Seal
  /// Where files go to.
  public var places: AssetPlaces
  /// When it is, in milliseconds since 1970.
  public var now: Int64
  /// The most bytes that the files of the database's assets may have.
  public var bytesMax: Int64 = .max

  /// Describes a call.
  public init(
    container: String, zone: ZoneKey, caller: RecordCaller, schema: ResolvedSchema, seal: Seal,
    places: AssetPlaces, now: Int64
  ) {
    self.container = container
    self.zone = zone
    self.caller = caller
    self.schema = schema
    self.seal = seal
    self.places = places
    self.now = now
  }

  /// Whose assets it is about.
  var scope: AssetScope {
    AssetScope(container: container, environment: schema.environment, database: zone.database)
  }

  /// The live records of those names; a zone that everyone has need not have been made yet.
  func records(
    _ names: [String], in transaction: any StorageTransaction
  ) throws -> [RecordRow?] {
    guard let row = try transaction.zone(zone), !row.isDeleted else {
      guard zone.name == ZoneIdentity.defaultName else {
        throw RequestFailure.zoneNotFound(zone.name)
      }
      return names.map { _ in nil }
    }
    return try transaction.records(names, in: zone).map { $0.flatMap { $0.isDeleted ? nil : $0 } }
  }
}
