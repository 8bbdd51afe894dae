import DataModel
public import RecordWire

/// Runs one call of `assets/rereference`: gives receipts for files that records hold already.
public struct AssetRereferenceRun: Sendable {
  private let request: AssetRereferenceRequest
  private let call: AssetCall

  /// Prepares a call.
  public init(_ request: AssetRereferenceRequest, _ call: AssetCall) {
    self.request = request
    self.call = call
  }

  /// Gives the dictionaries, all or none; the transaction has to be one that writes, since the files
  /// are kept as long as the receipts are good for.
  public func run(in transaction: any StorageTransaction) throws -> AssetRereferenceResponse {
    guard request.assets.count <= AssetLimits.itemsMax else {
      throw RequestFailure.badRequest("there are more than \(AssetLimits.itemsMax) assets")
    }
    let names = request.assets.map { $0.recordName ?? "" }
    let records = try call.records(names, in: transaction)
    var assets: [RecordAsset] = []
    for (field, record) in zip(request.assets, records) {
      let file = try file(of: field, record)
      try transaction.keepAsset(AssetRow(file, keptAt: call.now), for: call.zone.database)
      let receipt = AssetReceipt(scope: call.scope, user: call.caller.user, file: file)
      assets.append(receipt.asset(call.seal, now: call.now))
    }
    return AssetRereferenceResponse(assets: assets)
  }

  private func file(of field: AssetField, _ record: RecordRow?) throws -> AssetFile {
    // Who may not read a record does not learn whether it is there.
    guard let record, mayRead(record), record.hasAssets,
      case .asset(let asset)? = try record.fields.fields()[field.fieldName]?.value,
      let file = asset.storedFile
    else {
      throw RequestFailure.badRequest(
        "there is no asset in field '\(field.fieldName)' of record '\(field.recordName ?? "")'")
    }
    return file
  }

  private func mayRead(_ record: RecordRow) -> Bool {
    guard call.zone.database.scope == .everyone else { return true }
    return call.schema.rights(of: call.caller, onType: record.type)
      .permissions(onRecordBy: record.created.userRecordName).contains(.read)
  }
}
