import DataModel
public import RecordWire

/// Runs one call of `assets/upload`: gives places for files, to those who may save the records.
public struct AssetUploadRun: Sendable {
  private let request: AssetUploadRequest
  private let call: AssetCall
  private let newNames: [String]

  /// Prepares a call; `newNames` are for records that come without, one for each token.
  public init(_ request: AssetUploadRequest, _ call: AssetCall, newNames: [String]) {
    self.request = request
    self.call = call
    self.newNames = newNames
  }

  /// Gives places; throws for what concerns the whole call.
  public func run(in transaction: any StorageTransaction) throws -> AssetUploadResponse {
    guard request.tokens.count <= AssetLimits.itemsMax else {
      throw RequestFailure.badRequest("there are more than \(AssetLimits.itemsMax) tokens")
    }
    let names = request.tokens.enumerated().map { index, token in
      token.recordName ?? (newNames.indices.contains(index) ? newNames[index] : "")
    }
    let records = try call.records(names, in: transaction)
    try AssetQuota(call.zone.database, bytesMax: call.bytesMax).checkRoom(in: transaction)
    let entries = request.tokens.enumerated().map { index, token -> AssetUploadResponse.Entry in
      do throws(RequestFailure) {
        return .token(try place(for: token, names[index], records[index]))
      } catch {
        return .failure(ItemFailure(.record(names[index]), error))
      }
    }
    return AssetUploadResponse(tokens: entries)
  }

  private func place(
    for token: AssetField, _ name: String, _ existing: RecordRow?
  ) throws(RequestFailure) -> AssetUploadResponse.Token {
    guard !name.isEmpty else { throw .badRequest("recordName is empty") }
    // First: who may not save the record is not told what it is like.
    try checkRights(token, existing)
    let type = try type(token, existing)
    try checkField(token.fieldName, type)
    let ticket = AssetTicket(
      scope: call.scope, zone: call.zone.name, recordName: name, recordType: type,
      fieldName: token.fieldName, user: call.caller.user)
    let sealed = ticket.sealed(call.seal, expires: call.now.later(by: AssetLimits.uploadLife))
    return AssetUploadResponse.Token(
      recordName: name, fieldName: token.fieldName,
      url: call.places.url(.upload, call.scope, sealed))
  }

  private func type(_ token: AssetField, _ existing: RecordRow?) throws(RequestFailure) -> String {
    guard let type = token.recordType else { throw .badRequest("recordType is required") }
    guard let existing, !existing.type.utf8.elementsEqual(type.utf8) else { return type }
    throw .badRequest("the record has the type '\(existing.type)', not '\(type)'")
  }

  /// Whoever could not save the record has no use for its file.
  private func checkRights(
    _ token: AssetField, _ existing: RecordRow?
  ) throws(RequestFailure) {
    guard call.zone.database.scope == .everyone,
      let type = existing?.type ?? token.recordType
    else { return }
    let rights = call.schema.rights(of: call.caller, onType: type)
    let isPermitted =
      existing.map {
        rights.permissions(onRecordBy: $0.created.userRecordName).contains(.write)
      } ?? rights.always.contains(.create)
    if !isPermitted { throw .notPermitted }
  }

  /// A field of assets, or, in development, one that a save makes into one.
  private func checkField(_ name: String, _ type: String) throws(RequestFailure) {
    let isList = call.schema.type(type)?.fields[name]?.shape.isList ?? false
    let shape = SavedShape(
      type: type, fields: [SavedShape.Field(name, WireValueType(.typed(.asset), isList: isList))],
      isPublic: call.zone.database.scope == .everyone)
    if case .refused(let refusals) = call.schema.check(shape) {
      throw .badRequest(refusals.map(\.message).joined(separator: "; "))
    }
  }
}
