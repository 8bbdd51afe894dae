/// An asset as a storage knows it: its file is somewhere else.
public struct AssetRow: Hashable, Sendable {
  /// The file.
  public var file: AssetFile
  /// When it was uploaded last, or was given a receipt for, in milliseconds since 1970.
  public var keptAt: Int64

  /// Describes an asset.
  public init(_ file: AssetFile, keptAt: Int64) {
    self.file = file
    self.keptAt = keptAt
  }
}
