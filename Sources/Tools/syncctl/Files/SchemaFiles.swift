import CommandKit
import SchemaFormats
import SchemaLint

/// Finds out what kind of schema a path leads to, and reads it.
struct SchemaFiles {
  private let disk = Disk()

  /// The versions of the schema at `path`: several for a package, one for everything else.
  func package(at path: String) throws -> SchemaPackage {
    if path != "-", try disk.kind(of: path) == .directory {
      return try XCDataModel.package(from: tree(at: path))
    }
    let bytes = try disk.bytes(of: path)
    let kind = try SchemaFileKind(of: bytes, at: path)
    return try kind.read(bytes, path)
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
    guard try disk.kind(of: path) == .directory, try !isModel(path) else {
      let package = try package(at: path)
      return Array(package.versions[...package.currentIndex])
    }
    let names = try disk.names(in: path).filter(isSchemaName)
    if names.isEmpty {
      throw DiskError(path: path, problem: "the directory holds no schema")
    }
    let ordered = names.sorted { VersionLabel(stem($0)) < VersionLabel(stem($1)) }
    return try ordered.flatMap { try promoted(at: join(path, $0)) }
  }

  private func isModel(_ path: String) throws -> Bool {
    let names = try disk.names(in: path)
    return names.contains("contents") || names.contains { $0.hasSuffix(".xcdatamodel") }
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

extension SchemaFormatError: LocatedError {
  var report: String { "\(location): error: expected \(expected), found \(found)" }
}
