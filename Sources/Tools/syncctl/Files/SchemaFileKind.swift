import SchemaFormats

/// A kind of schema file: how it is recognised, and who reads it.
struct SchemaFileKind {
  let isRecognised: @Sendable (_ path: String, _ bytes: [UInt8]) -> Bool
  let read: @Sendable (_ bytes: [UInt8], _ path: String) throws -> SchemaPackage

  /// The kinds, by name first, then by what the file begins with.
  private static let all: [SchemaFileKind] = [
    SchemaFileKind(isRecognised: { path, _ in path.hasSuffix(".ckdb") }, read: readCKDB),
    SchemaFileKind(isRecognised: { path, _ in path.hasSuffix(".json") }, read: readJSON),
    SchemaFileKind(isRecognised: { _, bytes in firstMark(bytes) == "<" }, read: readModel),
    SchemaFileKind(isRecognised: { _, bytes in firstMark(bytes) == "{" }, read: readJSON),
    SchemaFileKind(
      isRecognised: { _, bytes in firstMark(bytes)?.isLetter == true || isComment(bytes) },
      read: readCKDB),
  ]

  init(of bytes: [UInt8], at path: String) throws {
    if bytes.starts(with: "SQLite format 3\0".utf8) {
      throw DiskError(
        path: path, problem: "it is an SQLite database, and a store has to be named as a file")
    }
    guard let kind = Self.all.first(where: { $0.isRecognised(path, bytes) }) else {
      throw DiskError(
        path: path,
        problem: "it is no schema: expected .xcdatamodeld, .xcdatamodel, .ckdb, .json or a store"
      )
    }
    self = kind
  }

  private init(
    isRecognised: @escaping @Sendable (String, [UInt8]) -> Bool,
    read: @escaping @Sendable ([UInt8], String) throws -> SchemaPackage
  ) {
    self.isRecognised = isRecognised
    self.read = read
  }

  private static func firstMark(_ bytes: [UInt8]) -> Character? {
    bytes.first { $0 > UInt8(ascii: " ") && $0 < 0x80 }.map { Character(UnicodeScalar($0)) }
  }

  private static func isComment(_ bytes: [UInt8]) -> Bool {
    firstMark(bytes) == "/" || firstMark(bytes) == "-"
  }

  @Sendable private static func readModel(_ bytes: [UInt8], _ path: String) throws -> SchemaPackage
  {
    try XCDataModel.package(from: SchemaFileTree(path: path, files: ["": bytes]))
  }

  @Sendable private static func readCKDB(_ bytes: [UInt8], _ path: String) throws -> SchemaPackage {
    let label = label(path)
    return SchemaPackage(
      name: label, versions: [try CKDB.read(bytes, file: path, label: label)], currentIndex: 0)
  }

  @Sendable private static func readJSON(_ bytes: [UInt8], _ path: String) throws -> SchemaPackage {
    let label = label(path)
    return SchemaPackage(
      name: label, versions: [try ContrailJSON.read(bytes, file: path, label: label)],
      currentIndex: 0)
  }

  /// The file's name without directory and extension.
  private static func label(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }
}
