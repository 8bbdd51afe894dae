public import RecordWire

/// Makes the fields of stored records into those of answers: assets get addresses to download from.
///
/// Records without assets are handed on as they are.
public struct AssetReading: Sendable {
  private let scope: AssetScope
  private let seal: Seal
  private let places: AssetPlaces
  private let expires: Int64

  /// Prepares reading; the addresses are good for an hour from `now`, in milliseconds since 1970.
  public init(_ scope: AssetScope, seal: Seal, places: AssetPlaces, now: Int64) {
    self.scope = scope
    self.seal = seal
    self.places = places
    expires = now.later(by: AssetLimits.downloadLife)
  }

  /// The fields of a record as an answer has them.
  public func fields(of row: RecordRow) throws(WireError) -> FieldBytes {
    guard row.hasAssets else { return row.fields }
    var fields = try row.fields.fields()
    for entry in fields.entries {
      var field = entry.field
      field.value = field.value.replacingAssets(readable)
      fields[entry.name] = field
    }
    return try FieldBytes(fields)
  }

  private func readable(_ asset: RecordAsset) -> RecordAsset {
    guard let file = asset.storedFile else { return asset }
    var asset = asset
    let sealed = AssetDownload(scope: scope, file: file).sealed(seal, expires: expires)
    asset.downloadURL = places.url(.download, scope, sealed)
    return asset
  }
}
