import CommandKit
import SchemaLint

/// How to lint one schema: what its configuration says, overruled by the call.
struct LintSettings {
  let configuration: LintConfiguration
  let profile: LintProfile
  let format: ReportFormat
  /// The configuration's own folder, which its paths are relative to.
  private let folder: String

  init(_ call: Invocation, schema path: String, disk: Disk) throws {
    let beside = Self.folder(of: Self.packagePath(of: disk.pathThatNamesItsFolder(path)))
    let file = try Self.configurationFile(call, beside: beside, disk: disk)
    folder = file.map(Self.folder) ?? ""
    configuration =
      try file.map { file in
        try LintConfiguration(reading: try disk.bytes(of: file), file: file)
      } ?? LintConfiguration()
    let named = call.value("profile").flatMap(LintProfile.init)
    profile = named ?? configuration.profile ?? .cloudkit
    format = call.value("format").flatMap(ReportFormat.named) ?? .text
  }

  /// The promoted versions that the configuration names.
  var promotedPaths: [String] { configuration.promoted.map { folder + $0.path } }

  /// The debts that are accepted: those of the call, else those of the configuration.
  func baseline(_ call: Invocation, disk: Disk) throws -> LintBaseline? {
    guard let file = call.value("baseline") ?? configuration.baseline.map({ folder + $0.path })
    else { return nil }
    return try LintBaseline(reading: try disk.bytes(of: file), file: file)
  }

  private static func configurationFile(
    _ call: Invocation, beside folder: String, disk: Disk
  ) throws -> String? {
    if let file = call.value("config") { return file }
    let file = folder + LintConfiguration.fileName
    return disk.hasFile(file) ? file : nil
  }

  /// The folder of `path` with a slash at its end; empty for the working directory.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// The package that a version or its contents stands in, since the configuration stands beside the
  /// package.
  private static func packagePath(of path: String) -> String {
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    let parts = trimmed.split(separator: "/", omittingEmptySubsequences: false)
    let outermost = parts.firstIndex {
      $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel")
    }
    return outermost.map { parts[...$0].joined(separator: "/") } ?? trimmed
  }
}

extension LintFileError: LocatedError {
  var report: String { description }
}
