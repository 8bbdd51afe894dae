import DataModel
import RecordWire

extension RecordValue {
  /// The assets in the value, also in a list, and where nobody said that they are some.
  var assets: [RecordAsset] {
    switch self {
    case .asset(let asset): [asset]
    case .list(let elements, .asset): elements.flatMap(\.assets)
    case .untyped(let value): value.assets
    default: []
    }
  }

  /// The same value with other assets.
  func replacingAssets<Failure>(
    _ replacement: (RecordAsset) throws(Failure) -> RecordAsset
  ) throws(Failure) -> RecordValue {
    switch self {
    case .asset(let asset): return .asset(try replacement(asset))
    case .list(let elements, .asset):
      var replaced: [RecordValue] = []
      for element in elements { replaced.append(try element.replacingAssets(replacement)) }
      return .list(replaced, of: .asset)
    case .untyped(let value): return .untyped(try value.replacingAssets(replacement))
    default: return self
    }
  }
}

extension UntypedValue {
  fileprivate var assets: [RecordAsset] {
    switch self {
    case .asset(let asset): [asset]
    case .array(let elements): elements.flatMap(\.assets)
    default: []
    }
  }

  fileprivate func replacingAssets<Failure>(
    _ replacement: (RecordAsset) throws(Failure) -> RecordAsset
  ) throws(Failure) -> UntypedValue {
    switch self {
    case .asset(let asset): return .asset(try replacement(asset))
    case .array(let elements):
      var replaced: [UntypedValue] = []
      for element in elements { replaced.append(try element.replacingAssets(replacement)) }
      return .array(replaced)
    default: return self
    }
  }
}
