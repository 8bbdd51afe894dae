import FoundationEssentials
import Glibc

/// A program that is measured from start to end, as its user waits for it.
struct Program {
  private let path: String

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

  /// Runs it once.
  ///
  /// The corresponding C functions are `posix_spawn` and `waitpid`.
  private func once(_ arguments: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var process = pid_t()
    guard posix_spawn(&process, path, &actions, nil, words, environ) == 0 else {
      throw ProgramFailure(path: path, status: -1)
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // Findings are what a lint is for; only what it cannot do is a failure.
    let code = status >> 8 & 0xff
    guard status & 0x7f == 0, code <= 1 else { throw ProgramFailure(path: path, status: code) }
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
