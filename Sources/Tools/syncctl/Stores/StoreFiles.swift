import CommandKit
import DataModel
import Foundation
import ObjectStore
import SQLiteDriver
import SchemaFormats

/// Finds stores, and opens them to be read.
struct StoreFiles {
  /// Whether the file at `path` is a store, or a database that might be one.
  ///
  /// Pipes are not looked into: they can be read once only.
  static func isStore(_ path: String) throws -> Bool {
    var about = stat()
    guard path != "-", stat(path, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    return try Store.kind(at: path) != nil
  }

  /// What the store at `path` says about itself.
  static func facts(at path: String) throws -> StoreFacts {
    guard FileManager.default.fileExists(atPath: path) else {
      throw DiskError(path: path, problem: "there is no such file or directory")
    }
    ReadDatabases.note(path)
    do {
      return try Store.facts(at: path)
    } catch let error as StoreError where error.code == .readOnly {
      throw StoreError(
        .readOnly, path,
        "cannot be read here: SQLite keeps files beside it, and the folder cannot be written to",
        fix: "copy the store, with all files that begin with its name, to a folder of your own")
    } catch var error as StoreError where error.code == .notAStore {
      error.fix = "name a file with a store that Contrail made"
      guard isCoreDataStore(path) else { throw error }
      throw StoreError(
        .notAStore, path, "is a Core Data store, which this tool does not read",
        fix: "lint its model: syncctl lint App.xcdatamodeld")
    }
  }

  /// Opens the store at `path` with the schema that is in it, to be read only.
  static func open(_ path: String) throws -> Store {
    let facts = try facts(at: path)
    var options = Store.Options()
    options.allowsSave = false
    return try Store(
      at: Store.Location(facts.kind, path: path), schema: facts.schema, options: options)
  }

  /// The schema in the store at `path`, as a file of one version.
  static func package(at path: String) throws -> SchemaPackage {
    let facts = try facts(at: path)
    let label = stem(path)
    let document = SchemaDocument(file: path, label: label, content: .objects(facts.schema))
    return SchemaPackage(name: label, versions: [document], currentIndex: 0)
  }

  /// Whether the file is an SQLite database with the tables that Core Data makes.
  private static func isCoreDataStore(_ path: String) -> Bool {
    guard let connection = try? Connection(.file(path), mode: .readOnly),
      let statement = try? connection.prepare(
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'Z_METADATA'")
    else { return false }
    return (try? statement.step()) == true
  }

  /// The file's name without directory and extension.
  static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// How many bytes the store takes with all that lies beside it.
  static func bytes(of path: String) -> Int64 {
    let files = ["", "-wal", "-journal"].map { path + $0 }
    let folder = path + ".values"
    let values = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return (files + values.map { "\(folder)/\($0)" }).reduce(0) { sum, file in
      var about = stat()
      guard stat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return sum }
      return sum + Int64(about.st_size)
    }
  }
}

extension StoreError: LocatedError {
  var report: String {
    let head = "syncctl: error: \(subject): \(message) [\(code.rawValue)]"
    return
      ([head] + failures.flatMap { $0.lines(indent: "  ") } + (fix.map { ["  fix  \($0)"] } ?? []))
      .joined(separator: "\n")
  }

  /// A failure among others: what it is about, and what to do.
  func lines(indent: String) -> [String] {
    ["\(indent)\(subject): \(message)"] + (fix.map { ["\(indent)  fix  \($0)"] } ?? [])
  }

  var exitCode: ExitCode { Self.exitCodes[code] ?? .unusable }

  private static let exitCodes: [Code: ExitCode] = [
    .corrupt: .damaged, .newerFormat: .damaged, .busy: .busy,
  ]
}
