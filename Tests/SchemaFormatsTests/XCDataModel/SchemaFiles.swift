import FoundationEssentials
import SchemaFormats

/// Reads files for tests; the module under test never touches the disk.
enum SchemaFiles {
  /// The root of the checkout.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The directory or file at `path`, called `name` in errors.
  static func tree(at path: String, name: String) throws -> SchemaFileTree {
    var tree = SchemaFileTree(path: name, files: [:])
    guard let below = try? FileManager.default.subpathsOfDirectory(atPath: path) else {
      tree.files[""] = try bytes(at: path)
      return tree
    }
    for relative in below {
      var isDirectory = false
      _ = FileManager.default.fileExists(atPath: "\(path)/\(relative)", isDirectory: &isDirectory)
      if isDirectory {
        tree.emptyDirectories.insert(relative)
      } else {
        tree.files[relative] = try bytes(at: "\(path)/\(relative)")
      }
    }
    return tree
  }

  /// The demo's model with its three versions.
  static func flightLog() throws -> SchemaFileTree {
    try tree(
      at: root.appending(path: "Schemas/demo/FlightLog.xcdatamodeld").path,
      name: "FlightLog.xcdatamodeld")
  }

  private static func bytes(at path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }
}
