import DataModel
import FoundationEssentials
import SchemaFormats
import Testing

private let corpus = ProcessInfo.processInfo.environment["CONTRAIL_CORPUS"]

/// Reads every model below a folder of real ones, which are not ours to keep here.
@Suite(.enabled(if: corpus != nil, "set CONTRAIL_CORPUS to a folder of published schemas"))
struct `Published Core Data models` {
  @Test func `every version of every package is read, and nothing of it is passed over`() throws {
    let packages = try Self.packages()
    let versions = packages.flatMap { $0.package.versions }
    let notes = packages.flatMap { $0.package.notes } + versions.flatMap(\.notes)
    print("\(packages.count) packages, \(versions.count) versions, \(notes.count) notes")
    #expect(!packages.isEmpty)
    #expect(notes == [])
  }

  @Test func `every part stands where its position says`() throws {
    var parts = 0
    for (tree, package) in try Self.packages() {
      for version in package.versions {
        let path = String(version.file.dropFirst(tree.path.count).drop { $0 == "/" })
        let bytes = try #require(tree.files[path])
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (element, tag) in Self.parts(of: version) {
          let position = try #require(version.sources.position(of: element), "\(element)")
          let line = lines[position.line - 1].dropFirst(position.column - 1)
          #expect(line.starts(with: "<\(tag) ".utf8), "\(element) in \(version.file)")
          parts += 1
        }
      }
    }
    print("\(parts) parts stand where they should")
  }

  /// Every entity, attribute and relationship, and the name of its XML element.
  private static func parts(of version: SchemaDocument) -> [(SchemaElement, tag: String)] {
    guard case .objects(let schema) = version.content else { return [] }
    return schema.entities.flatMap { entity in
      [(.entity(entity.name), "entity")]
        + entity.attributes.map { (.attribute(entity: entity.name, name: $0.name), "attribute") }
        + entity.relationships.map {
          (.relationship(entity: entity.name, name: $0.name), "relationship")
        }
    }
  }

  private static func packages() throws -> [(tree: SchemaFileTree, package: SchemaPackage)] {
    let folder = try #require(corpus)
    let paths = Set(
      try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap(package(of:)))
    return try paths.sorted().map { path in
      let tree = try SchemaFiles.tree(at: "\(folder)/\(path)", name: path)
      return (tree, try XCDataModel.package(from: tree))
    }
  }

  /// The package that the file at `path` belongs to, or the model where there is no package.
  private static func package(of path: String) -> String? {
    let parts = path.split(separator: "/")
    guard parts.last == "contents",
      let end = parts.firstIndex(where: {
        $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel")
      })
    else { return nil }
    return parts[...end].joined(separator: "/")
  }
}
