/// The files of a schema, as they were read from disk: a package, one model, or a single file.
package struct SchemaFileTree: Sendable {
  /// The path that the user gave; the places of errors and findings begin with it.
  package var path: String
  /// The bytes of each file by its path below `path`, parts separated by `/`; a single file has the
  /// empty path.
  package var files: [String: [UInt8]]
  /// Directories without a file in them, which `files` cannot tell of.
  package var emptyDirectories: Set<String>

  package init(path: String, files: [String: [UInt8]], emptyDirectories: Set<String> = []) {
    self.path = path
    self.files = files
    self.emptyDirectories = emptyDirectories
  }

  /// What to call the file at `relativePath`.
  func file(_ relativePath: String) -> String {
    relativePath.isEmpty
      ? path : path.hasSuffix("/") ? path + relativePath : "\(path)/\(relativePath)"
  }

  /// The place of the beginning of `relativePath`.
  func start(of relativePath: String = "") -> SourceLocation {
    SourceLocation(file: file(relativePath), position: SourcePosition(line: 1, column: 1))
  }

  /// The names of the directories directly inside, in no order.
  var directories: Set<String> {
    var names = Set(emptyDirectories.compactMap(Self.first))
    for path in files.keys {
      if path.utf8.contains(UInt8(ascii: "/")), let name = Self.first(of: path) {
        names.insert(name)
      }
    }
    return names
  }

  private static func first(of path: String) -> String? {
    path.split(separator: "/", maxSplits: 1).first.map(String.init)
  }
}
