public import Foundation

// Folders that Foundation names on other platforms only, and that programs put their stores into.
extension URL {
  /// The user's folder for what programs keep.
  @_disfavoredOverload
  public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }
  /// The user's documents.
  @_disfavoredOverload
  public static var documentsDirectory: URL { folder(.documentDirectory) }
  /// The user's folder for what can be made again.
  @_disfavoredOverload
  public static var cachesDirectory: URL { folder(.cachesDirectory) }

  private static func folder(_ directory: FileManager.SearchPathDirectory) -> URL {
    FileManager.default.urls(for: directory, in: .userDomainMask).first
      ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
  }
}
