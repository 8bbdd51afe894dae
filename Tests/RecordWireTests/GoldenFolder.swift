import FoundationEssentials
import RecordWire

/// A file of `Schemas/wire/v1`, whose name says what it is: `request-bad-fractional-timestamp.json`.
struct GoldenFile: CustomStringConvertible {
  /// What the file shows.
  enum Quality: String {
    /// Read, and written again to the same bytes.
    case good
    /// Read, and written as the file beside it that ends with `.canonical.json`.
    case lenient
    /// Refused, for the reason in the file beside it that ends with `.txt`.
    case bad
  }

  var folder: String
  var name: String
  var isRequest: Bool
  var quality: Quality

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Schemas/wire/v1")

  var description: String { "\(folder)/\(name)" }

  var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: url("json"))) }
  }

  func url(_ ending: String) -> URL { Self.root.appending(path: "\(folder)/\(name).\(ending)") }

  /// The file beside it, written first when asked to by `UPDATE=1`, for a person to read in the diff.
  func companion(_ ending: String, now text: @autoclosure () throws -> String) throws -> String {
    if ProcessInfo.processInfo.environment["UPDATE"] != nil {
      try Data(try text().utf8).write(to: url(ending))
    }
    return String(decoding: try Data(contentsOf: url(ending)), as: UTF8.self)
  }
}

/// All files, and the names that are none of a golden file.
struct GoldenFolder {
  var files: [GoldenFile] = []
  var strangers: [String] = []

  init() throws {
    let manager = FileManager.default
    for folder in try manager.contentsOfDirectory(atPath: GoldenFile.root.path).sorted() {
      if folder == "README.md" { continue }
      let path = GoldenFile.root.appending(path: folder).path
      let names = try manager.contentsOfDirectory(atPath: path).sorted()
      for name in names { add(name, in: folder, beside: Set(names)) }
    }
  }

  private mutating func add(_ name: String, in folder: String, beside names: Set<String>) {
    if name.hasSuffix(".canonical.json") || name.hasSuffix(".txt") {
      let base = name.replacing(".canonical.json", with: "").replacing(".txt", with: "")
      if !names.contains(base + ".json") { strangers.append("\(folder)/\(name)") }
      return
    }
    let parts = name.split(separator: "-", maxSplits: 2)
    guard parts.count == 3, parts[0] == "request" || parts[0] == "response",
      let quality = GoldenFile.Quality(rawValue: String(parts[1])), name.hasSuffix(".json")
    else { return strangers.append("\(folder)/\(name)") }
    files.append(
      GoldenFile(
        folder: folder, name: String(name.dropLast(5)), isRequest: parts[0] == "request",
        quality: quality))
  }
}

/// What the messages of a folder are.
struct GoldenMessages {
  var request: (any WireMessage.Type)?
  var response: any WireMessage.Type

  /// One row a folder: the operations, the extensions, and two answers that belong to none.
  static let byFolder: [String: GoldenMessages] = {
    var rows = [
      "errors": GoldenMessages(request: nil, response: RequestFailure.self),
      "assets-upload-url": GoldenMessages(request: nil, response: SingleFileResponse.self),
    ]
    for row in WireEndpoint.rows {
      rows[row.path.replacing("/", with: "-")] = GoldenMessages(
        request: row.request, response: row.response)
    }
    for row in ManagementEndpoint.rows {
      rows["management-" + row.path.replacing("/", with: "-")] = GoldenMessages(
        request: row.request, response: row.response)
    }
    for row in ExtensionEndpoint.rows {
      rows["extension-" + row.path.replacing("/", with: "-")] = GoldenMessages(
        request: row.request, response: row.response)
    }
    return rows
  }()
}
