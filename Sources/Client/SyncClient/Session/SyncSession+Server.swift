import DataModel
import RecordWire
import SyncCore

// What is asked of the server before records are exchanged.
extension SyncSession {
  func beginHello(_ now: Int64) throws -> Work {
    try relearn(now: now)
    guard configuration.usesExtensions else { return .done(.done(StepFacts())) }
    return .call(SyncCall("capabilities", in: .server, method: .get))
  }

  func finishHello(_ body: [UInt8]) throws -> StepResult {
    // Whoever answers something else to an address that it does not know has no extensions.
    capabilities = try? CapabilitiesResponse(json: body)
    batchSize = BatchSize(
      limit: capabilities?.batchOperationsMax ?? capabilities?.operationsMax
        ?? BatchSize.protocolMax)
    return .done(StepFacts())
  }

  func finishAccount(_ body: [UInt8]) throws -> StepResult {
    let user = try UserIdentity(json: body)
    guard let name = user.userRecordName else { return .done(StepFacts()) }
    return try write { _, rows in
      let known = try rows.text(.account)
      if let known, known != name {
        return .done(StepFacts(trouble: .accountSwitched))
      }
      if known == nil { try rows.set(.account, name) }
      return .done(StepFacts())
    }
  }

  func beginMakingZone() throws -> Work {
    let zone = try read(zone)
    if zone.isMade { return .done(.done(StepFacts(trouble: .zoneDeleted))) }
    let request = ZoneModifyRequest(operations: [.init(.create, zone.identity)])
    return .call(SyncCall("zones/modify", in: .database(.private), body: try request.json()))
  }

  func finishMakingZone(_ body: [UInt8]) throws -> StepResult {
    let response = try ZonesResponse(json: body)
    if case .failure(let failure)? = response.zones.first,
      failure.failure.code != .exists
    {
      return .failed(RequestConsequence(failure.failure))
    }
    try write { _, rows in
      var zone = try self.zone(rows)
      zone.isMade = true
      try rows.put(zone)
    }
    return .done(StepFacts())
  }

  /// The zone is not there: it never was, or somebody has deleted it.
  func takeZoneGone() throws -> StepResult {
    batch = nil
    return try read(zone).isMade
      ? .done(StepFacts(trouble: .zoneDeleted)) : .failed(.zoneGone)
  }

  func beginSchema(_ now: Int64) throws -> Work {
    // Development makes types and fields as they are saved.
    guard configuration.environment == SyncConfiguration.production, has("schemaCheck") else {
      knowsLacks = true
      try write { _, rows in try rows.probeLacks(now: now) }
      return .done(.done(StepFacts()))
    }
    let request = SchemaCheckRequest(objects.mapping.schema)
    return .call(
      SyncCall("schema/check", in: .environmentExtension, body: try request.json()))
  }

  func finishSchema(_ body: [UInt8]) throws -> StepResult {
    let response = try SchemaCheckResponse(json: body)
    knowsLacks = true
    try write { _, rows in
      try rows.setLacks(response.lacks.map { ($0.recordType, $0.field ?? "", $0.reason) }) {
        type, field in
        let asked = objects.mapping.schema.type(type)
        return field.isEmpty ? asked != nil : asked?.field(field) != nil
      }
    }
    return .done(StepFacts())
  }
}
