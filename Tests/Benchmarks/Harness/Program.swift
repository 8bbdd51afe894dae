import FoundationEssentials
import Glibc

/// A program that is measured from start to end, as its user waits for it.
struct Program {
  let path: String

  /// A program of this package, which stands beside the benchmark.
  static func beside(_ name: String) -> Program {
    let own = CommandLine.arguments[0]
    let folder = own.lastIndex(of: "/").map { own[...$0] } ?? "./"
    return Program(path: folder + name)
  }

  /// The median time of whole runs with these arguments; the output is thrown away.
  func milliseconds(_ arguments: [String], runs: Int = 2 * Runner.runCount) throws -> Double {
    try once(arguments)
    let times = try (0..<runs).map { _ in
      try ContinuousClock().measure { try once(arguments) } / .milliseconds(1)
    }
    return times.sorted()[runs / 2]
  }

  /// Runs it once; findings are what a lint is for, and only what it cannot do is a failure.
  private func once(_ arguments: [String]) throws {
    try ChildProcess(path, arguments).wait(for: 0...1)
  }
}

/// A program that did not run to a good end.
struct ProgramFailure: Error, CustomStringConvertible {
  let path: String
  let status: Int32

  var description: String { "\(path) ended with \(status)" }
}

/// A folder of its own for a benchmark's files; removed when the value goes.
struct TemporaryFolder: ~Copyable {
  private let root: String

  init() throws {
    root = FileManager.default.temporaryDirectory.path + "/bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  func write(_ text: String, to name: String) throws {
    let path = path(name)
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? root
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}

extension Program {
  /// A program of the system; throws where it is missing.
  static func installed(_ name: String) throws -> Program {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    // Debian keeps servers where not everybody's PATH looks.
    for folder in (path + ":/usr/sbin").split(separator: ":")
    where access("\(folder)/\(name)", X_OK) == 0 {
      return Program(path: "\(folder)/\(name)")
    }
    throw MissingProgram(name: name)
  }
}

/// A program that only benchmarks need, and that is not there.
struct MissingProgram: Error, CustomStringConvertible {
  let name: String

  var description: String { "\(name) is missing; fix: scripts/setup --bench" }
}
