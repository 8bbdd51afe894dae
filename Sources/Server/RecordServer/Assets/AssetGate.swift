import RecordWire

/// Which assets a save may put into records: those with a receipt, and those that stay where they are.
public struct AssetGate: Sendable {
  /// The server's seal.
  public var seal: Seal
  /// The container's name.
  public var container: String

  /// Makes a gate.
  public init(seal: Seal, container: String) {
    self.seal = seal
    self.container = container
  }
}

/// Holds the assets of one operation against the gate.
struct AssetCheck {
  let call: ModifyCall
  /// The record that is there now.
  let existing: RecordRow?
  /// The files that the record gets on the strength of a receipt: the storage has to have them.
  private(set) var received: [AssetAddress] = []

  init(_ call: ModifyCall, _ existing: RecordRow?) {
    self.call = call
    self.existing = existing
  }

  /// The fields with their assets as they are stored.
  mutating func admit(_ fields: RecordFields) throws(RequestFailure) -> RecordFields {
    guard fields.entries.contains(where: { !$0.field.value.assets.isEmpty }) else { return fields }
    let held = try heldFields()
    var admitted = fields
    for entry in fields.entries {
      let heldFiles = Dictionary(
        (held[entry.name]?.value.assets ?? []).compactMap(\.storedFile).map { ($0.address, $0) },
        uniquingKeysWith: { first, _ in first })
      var field = entry.field
      field.value = try field.value.replacingAssets { asset throws(RequestFailure) in
        RecordAsset(stored: try file(of: asset, entry.name, heldFiles))
      }
      admitted[entry.name] = field
    }
    return admitted
  }

  private func heldFields() throws(RequestFailure) -> RecordFields {
    guard let existing, existing.hasAssets else { return RecordFields() }
    do {
      return try existing.fields.fields()
    } catch {
      throw RequestFailure(.internalError, reason: "the stored record is damaged")
    }
  }

  private mutating func file(
    of asset: RecordAsset, _ field: String, _ held: [AssetAddress: AssetFile]
  ) throws(RequestFailure) -> AssetFile {
    if let address = asset.fileChecksum.flatMap({ AssetAddress(fileChecksum: $0) }),
      let file = held[address], asset.describes(file)
    {
      return file
    }
    guard received.count < AssetLimits.filesPerSaveMax else {
      throw .badAsset(
        field, "is one too many: a save brings at most \(AssetLimits.filesPerSaveMax) files")
    }
    guard let text = asset.receipt else {
      throw .badAsset(field, "needs a receipt: upload the file, or use assets/rereference")
    }
    guard let file = file(from: text) else {
      throw .badAsset(field, "has a receipt that is not valid here, or not any more")
    }
    guard asset.describes(file) else {
      throw .badAsset(field, "has a receipt for another file")
    }
    received.append(file.address)
    return file
  }

  private func file(from text: String) -> AssetFile? {
    guard let gate = call.assets,
      let receipt = try? AssetReceipt(opening: text, gate.seal, now: call.stamp.timestamp)
    else { return nil }
    let scope = AssetScope(
      container: gate.container, environment: call.resolved.environment,
      database: call.zone.database)
    return receipt.scope == scope && receipt.user == call.caller.user ? receipt.file : nil
  }
}

extension RequestFailure {
  static func badAsset(_ field: String, _ problem: String) -> RequestFailure {
    .badRequest("Field '\(field)': the asset \(problem)")
  }

  /// A receipt was good, and the file is gone all the same.
  static let assetGone = RequestFailure.badRequest(
    "the file of an asset is not there any more: upload it again")
}
