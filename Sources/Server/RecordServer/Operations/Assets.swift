import RecordWire

/// `assets/upload`: where files can be sent that records are to have.
enum UploadAssets: ReadingOperation {
  static let path = "assets/upload"

  static func answer(
    _ request: AssetUploadRequest, _ context: OperationContext, in reading: ReadingTransaction
  ) throws -> AssetUploadResponse {
    let zone = try context.zones.key(request.zone)
    let names = request.tokens.map { $0.recordName ?? context.call.source.recordName() }
    let call = try context.assetCall(zone, try reading.schema())
    return try AssetUploadRun(request, call, newNames: names).run(in: reading.transaction)
  }
}

/// `assets/rereference`: receipts for files that records have already.
enum RereferenceAssets: Operation {
  static let path = "assets/rereference"

  static func answer(
    _ request: AssetRereferenceRequest, _ context: OperationContext
  ) async throws -> AssetRereferenceResponse {
    let zone = try context.zones.key(request.zone)
    let service = context.service
    return try await service.storage.write { transaction in
      let schema = try service.schemas.current(in: transaction)
      let call = try context.assetCall(zone, schema)
      return try AssetRereferenceRun(request, call).run(in: transaction)
    }
  }
}
