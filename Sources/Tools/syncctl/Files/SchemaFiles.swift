import CommandKit
import JSONStream
import SchemaFormats
import SchemaLint

/// Finds out what kind of schema a path leads to, and reads it.
struct SchemaFiles {
  private let disk = Disk()
  /// Where it is said that a file was passed over.
  private let console: Console

  init(_ console: Console) { self.console = console }

  /// The versions of the schema at `path`: several for a package, one for everything else.
  func package(at path: String) throws -> SchemaPackage { try packageWithTexts(at: path).package }

  /// The versions of the schema at `path`, and the bytes of their files by the names of those: a pipe
  /// can be read once only.
  func packageWithTexts(
    at path: String
  ) throws -> (package: SchemaPackage, texts: [String: [UInt8]]) {
    if path != "-", try disk.kind(of: path) == .directory {
      let tree = try tree(at: path)
      let texts = tree.files.map { (join(path, $0.key), $0.value) }
      return (try XCDataModel.package(from: tree), Dictionary(uniqueKeysWithValues: texts))
    }
    if try StoreFiles.isStore(path) { return (try StoreFiles.package(at: path), [:]) }
    let bytes = try disk.bytes(of: path)
    return (try package(of: bytes, at: path), [path: bytes])
  }

  private func package(of bytes: [UInt8], at path: String) throws -> SchemaPackage {
    try SchemaFileKind(of: bytes, at: path).read(bytes, path)
  }

  /// The current version of the schema at `path`.
  func document(at path: String) throws -> SchemaDocument {
    let package = try package(at: path)
    guard let current = package.current else {
      throw DiskError(path: path, problem: "it holds no version of a schema")
    }
    return current
  }

  /// Every promoted version at `path`, oldest first: a schema, the versions of a package up to its
  /// current one, or a directory of such.
  func promoted(at path: String) throws -> [SchemaDocument] {
    guard path != "-", try disk.kind(of: path) == .directory, try !isModel(path) else {
      return try package(at: path).promoted
    }
    let names = try disk.names(in: path).filter(isSchemaName)
    let ordered = names.sorted { VersionLabel(stem($0)) < VersionLabel(stem($1)) }
    let versions = try ordered.flatMap { try promotedInside(join(path, $0)) }
    if versions.isEmpty {
      throw DiskError(path: path, problem: "the directory holds no schema")
    }
    return versions
  }

  /// The promoted versions at `path`, which nobody named: JSON that is no schema is passed over.
  private func promotedInside(_ path: String) throws -> [SchemaDocument] {
    guard path.hasSuffix(".json"), try disk.kind(of: path) == .file else {
      return try promoted(at: path)
    }
    let bytes = try disk.bytes(of: path)
    if isOtherJSON(bytes) {
      console.writeError("\(path): note: it is no Contrail schema and was passed over\n")
      return []
    }
    return try package(of: bytes, at: path).promoted
  }

  /// Whether the bytes are JSON of some other format; what is broken may have been a schema.
  private func isOtherJSON(_ bytes: [UInt8]) -> Bool {
    guard let value = try? JSONValue(reading: bytes) else { return false }
    let marks: Set = ["contrail", "kind", "entities"]
    return value.members?.contains { marks.contains($0.key) } != true
  }

  /// Whether the folder is one schema, rather than a folder of them: single models that somebody
  /// collected stand in a folder too.
  private func isModel(_ path: String) throws -> Bool {
    let names = try disk.names(in: path)
    let name = path.split(separator: "/").last ?? ""
    return names.contains("contents") || names.contains(".xccurrentversion")
      || name.hasSuffix(".xcdatamodeld")
  }

  private func isSchemaName(_ name: String) -> Bool {
    [".xcdatamodeld", ".xcdatamodel", ".ckdb", ".json"].contains { name.hasSuffix($0) }
      && name != LintConfiguration.fileName
  }

  private func tree(at path: String) throws -> SchemaFileTree {
    var tree = SchemaFileTree(path: path, files: [:])
    for name in try disk.names(in: path) {
      let inner = join(path, name)
      if try disk.kind(of: inner) == .directory {
        let contents = join(inner, "contents")
        if name.hasSuffix(".xcdatamodel"), try disk.names(in: inner).contains("contents") {
          tree.files["\(name)/contents"] = try disk.bytes(of: contents)
        } else {
          tree.emptyDirectories.insert(name)
        }
      } else if name == "contents" || name == ".xccurrentversion" {
        tree.files[name] = try disk.bytes(of: inner)
      }
    }
    return tree
  }

  private func join(_ path: String, _ name: String) -> String {
    path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  private func stem(_ name: String) -> String {
    name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }
}

extension SchemaPackage {
  /// The versions up to the current one: later ones are drafts.
  fileprivate var promoted: [SchemaDocument] { Array(versions[...currentIndex]) }
}

extension SchemaFormatError: LocatedError {
  var report: String { "\(location): error: expected \(expected), found \(found)" }
}
