import AssetFiles
import CommandKit
import FoundationEssentials
import Glibc
import HTTPServer
import JSONStream
import RecordServer
import RecordStorageSQLite
import ServerAccess

extension Command.Option {
  static let json = Command.Option.flag("json", "print JSON")
  static let data = Command.Option.value("data", "DIR", "the data folder (RECORDD_DATA)")
  static let config = Command.Option.value(
    "config", "FILE", "a JSON file with settings (RECORDD_CONFIG)")
  static let container = Command.Option.value(
    "container", "NAME", "the container; may be left out where there is only one")
  static let environment = Command.Option.value(
    "environment", "ENVIRONMENT", choices: ["development", "production"],
    "the environment (development)")
}

extension Command.ExitMeaning {
  static let done = Command.ExitMeaning(.ok, "done")
  static let unusable = Command.ExitMeaning(
    .unusable, "the call, a file or the data folder cannot be used")
}

// Errors of the modules, as the tool prints its own.
extension AccountError: LocatedError {
  package var report: String { Report.text("\(subject) \(message)", fix: fix) }
}

extension StorageFileError: LocatedError {
  package var report: String { Report.text("\(path) \(message)", fix: fix) }
}

extension AssetFileError: LocatedError {
  package var report: String { Report.text("\(path) \(message)", fix: fix) }
}

extension HTTPServerError: LocatedError {
  package var report: String { Report.text("\(subject): \(message)", fix: fix) }
}

/// Errors as the tool prints them.
private enum Report {
  static func text(_ message: String, fix: String) -> String {
    "recordd: error: \(message)\n  fix  \(fix)"
  }
}

/// What the commands that manage users, tokens and keys work on.
struct Administration {
  let call: Invocation
  let settings: Settings
  let folder: DataFolder
  let accounts: AccountFile

  /// Opens the data folder that the call names, which must be there.
  init(_ call: Invocation) throws {
    self.call = call
    settings = try Settings(call)
    folder = try settings.dataFolder()
    if folder.isNew {
      throw UsageError(
        "\(folder.path) holds no server's data",
        fix: "start one: recordd serve --data \(folder.path)")
    }
    accounts = try folder.accounts()
  }

  /// Milliseconds since 1970.
  var now: Int64 { Int64(Date.now.timeIntervalSince1970 * 1000) }

  /// The container and environment that the call names.
  func place() throws -> ContainerPlace {
    ContainerPlace(
      container: try container(), environment: call.value("environment") ?? "development")
  }

  /// The container that the call names, or the only one.
  func container() throws -> String {
    let names = try folder.containerNames()
    if let name = call.value("container") {
      guard names.contains(name) else {
        throw UsageError(
          "there is no container \"\(name)\"",
          fix: names.isEmpty
            ? "add it: recordd container add \(name)"
            : "one of \(names.joined(separator: ", ")), or recordd container add \(name)")
      }
      return name
    }
    guard names.count == 1, let name = names.first else {
      throw UsageError(
        "the container has to be named",
        fix: names.isEmpty
          ? "recordd container add NAME"
          : "--container \(names.joined(separator: " | "))")
    }
    return name
  }
}

extension Settings {
  /// Reads the process's environment, and the file that it or the call names.
  init(_ call: Invocation) throws {
    try self.init(
      call, environment: ProcessInfo.processInfo.environment, read: { try SmallFile.read($0) })
  }

  func dataFolder() throws(UsageError) -> DataFolder {
    guard let path = text("data") else {
      throw UsageError(
        "the data folder has to be named", fix: "--data DIR, or RECORDD_DATA in the environment")
    }
    return DataFolder(path: path)
  }
}

/// Files that are read whole: keys, configuration.
enum SmallFile {
  static let bytesMax = 1 << 20

  static func read(_ path: String) throws(UsageError) -> [UInt8] {
    // `-` is standard input, as everywhere.
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw failure(path, String(cString: strerror(errno))) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > bytesMax { throw failure(path, "more than \(bytesMax) bytes") }
    }
  }

  private static func failure(_ path: String, _ reason: String) -> UsageError {
    UsageError("\(path) cannot be read: \(reason)", fix: "check the path")
  }
}

/// Lengths of time as people write them: `90d`, `12h`, `30m`.
enum Life {
  private static let units: [Character: Int64] = ["d": 86_400_000, "h": 3_600_000, "m": 60_000]

  /// Milliseconds.
  static func milliseconds(_ text: String) throws(UsageError) -> Int64 {
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
      count > 0,
      case let (life, isTooLong) = count.multipliedReportingOverflow(by: unit), !isTooLong
    else {
      throw UsageError("\"\(text)\" is no length of time", fix: "write 365d, 12h or 30m")
    }
    return life
  }
}

/// Rows and their values, as text for people or as JSON for programs.
struct Listing {
  let keys: [String]
  let rows: [[String]]

  func print(_ call: Invocation) throws {
    if call.has("json") {
      let list = rows.map { row in
        JSONValue(.object(zip(keys, row).map { JSONMember($0, JSONValue(.string($1))) }))
      }
      call.console.write(
        String(decoding: try JSONValue(.array(list)).bytes(.pretty), as: UTF8.self))
      return
    }
    guard !rows.isEmpty else { return }
    let table = [keys] + rows
    let widths = keys.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    for row in table {
      let line = zip(row, widths).map { $0.padded($1) }.joined(separator: "  ")
      call.console.writeText(line.trimmed + "\n")
    }
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  /// A moment as people and programs read it.
  static func time(_ milliseconds: Int64?) -> String {
    guard let milliseconds else { return "never" }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
  }
}
