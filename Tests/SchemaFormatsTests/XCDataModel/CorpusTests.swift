import FoundationEssentials
import SchemaFormats
import Testing

/// Reads every model of a folder of real ones, which are not ours to keep here.
@Suite struct CorpusTests {
  static let folder = ProcessInfo.processInfo.environment["CONTRAIL_CORPUS"]

  @Test(
    .enabled(
      if: folder != nil,
      "set CONTRAIL_CORPUS to a folder with .xcdatamodeld packages to read all of them"))
  func `every model of the corpus is read, and nothing of it is passed over`() throws {
    let folder = try #require(Self.folder)
    var packages: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      if let package = Self.package(of: path) { packages.insert(package) }
    }
    var versionCount = 0
    var notes: [String] = []
    for path in packages.sorted() {
      let tree = try SchemaFiles.tree(at: "\(folder)/\(path)", name: path)
      let package = try XCDataModel.package(from: tree)
      versionCount += package.versions.count
      notes += package.notes.map { "\($0.location): \($0.message)" }
      for version in package.versions {
        notes += version.notes.map { "\($0.location): \($0.message)" }
      }
      print(package.name, package.versions.map(\.label), "current:", package.current?.label ?? "-")
    }
    print("\(packages.count) packages, \(versionCount) versions, \(notes.count) notes")
    #expect(!packages.isEmpty)
    #expect(notes == [])
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
