import Glibc
import Synchronization

/// A program that runs beside the tests, until it ends or is killed.
///
/// ```swift
/// let child = try ChildProgram(["openssl", "version"], output: .pipe)
/// let text = child.readText()
/// #expect(child.wait() == .code(0))
/// ```
///
/// Foundation's `Process` is not for a process that has thousands of files open, as some tests have: in Swift
/// 6.3 its `run()` reads beyond the end of a folder's entries, and sometimes of the memory that there is
/// (swiftlang/swift-corelibs-foundation, pull request 5472).
package final class ChildProgram {
  /// Where one of a program's outputs goes.
  package enum Output: Sendable { case inherited, nowhere, pipe }

  /// How a program ended.
  package enum End: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  /// Why a program could not be started.
  package struct Failure: Error {
    package var command: [String]
    package var reason: String
  }

  private let id: pid_t
  private var end: End?
  private var input: Int32?
  private var output: Int32?

  /// Starts a program, which is looked for in the folders of `PATH` unless its name has a slash.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - folder: Where it runs; here if there is none.
  ///   - environment: All that it finds in its environment; what this process has if there is none.
  ///   - hasInput: Whether ``write(_:)`` is what it reads; nothing otherwise.
  ///   - output: Where its standard output goes.
  ///   - error: Where its standard error goes; `.pipe` is the same pipe as the output's.
  /// - Throws: ``Failure`` if it cannot be started.
  package init(
    _ command: [String], in folder: String? = nil, environment: [String: String]? = nil,
    hasInput: Bool = false, output: Output = .inherited, error: Output = .inherited
  ) throws {
    let started = try Self.starting.withLock { _ in
      try Self.start(
        folder.map { ["env", "-C", $0] + command } ?? command, environment, hasInput, output, error)
    }
    (id, input, self.output) = started
  }

  /// Programs begin one after the other: the ends of a pipe could be inherited before they are marked.
  private static let starting = Mutex(())

  private static func start(
    _ command: [String], _ environment: [String: String]?, _ hasInput: Bool, _ output: Output,
    _ error: Output
  ) throws -> (pid_t, input: Int32?, output: Int32?) {
    var setup = SpawnSetup()
    defer { setup.end() }
    let (toChild, input) = hasInput ? try pipe(command) : (nil, nil)
    let isRead = output == .pipe || error == .pipe
    let (reading, fromChild) = isRead ? try pipe(command) : (nil, nil)
    defer { for file in [toChild, fromChild] { if let file { close(file) } } }
    setup.connect(STDIN_FILENO, to: toChild, nowhere: true)
    for (file, place) in [(STDOUT_FILENO, output), (STDERR_FILENO, error)] {
      setup.connect(file, to: place == .pipe ? fromChild : nil, nowhere: place == .nowhere)
    }
    switch setup.start(command, environment: environment) {
    case .success(let id): return (id, input, reading)
    case .failure(let error):
      for file in [input, reading] { if let file { close(file) } }
      throw Failure(command: command, reason: String(cString: strerror(error.number)))
    }
  }

  deinit {
    closeInput()
    if let output { close(output) }
    kill()
    wait()
  }

  /// Both ends of a pipe that no other child inherits.
  private static func pipe(_ command: [String]) throws -> (reading: Int32?, writing: Int32?) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else {
      throw Failure(command: command, reason: String(cString: strerror(errno)))
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Writes what the program reads.
  package func write(_ text: String) {
    guard let input else { return }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Lets the program find the end of what it reads.
  package func closeInput() {
    if let input { close(input) }
    input = nil
  }

  /// Waits until the program has printed something, and returns that; nothing at the end.
  package func readSome() -> [UInt8] {
    guard let output else { return [] }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(output, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      return Array(bytes.prefix(max(0, count)))
    }
  }

  /// All that the program prints until it closes its output.
  package func readText() -> String {
    var all: [UInt8] = []
    while case let some = readSome(), !some.isEmpty { all += some }
    return String(decoding: all, as: UTF8.self)
  }

  /// Waits for the program's end.
  @discardableResult package func wait() -> End {
    if let end { return end }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    // The corresponding C macros are `WIFEXITED`, `WEXITSTATUS` and `WTERMSIG`.
    let signal = status & 0x7f
    let end = signal == 0 ? End.code(status >> 8 & 0xff) : .signal(signal)
    self.end = end
    return end
  }

  /// Ends the program at once; nothing of it goes on.
  package func kill() {
    if end == nil { _ = Glibc.kill(id, SIGKILL) }
  }
}

extension ChildProgram {
  /// Runs a program to its end and returns all that it printed, errors included.
  package static func run(
    _ command: [String], in folder: String? = nil, environment: [String: String]? = nil
  ) throws -> (end: End, text: String) {
    let child = try ChildProgram(
      command, in: folder, environment: environment, output: .pipe, error: .pipe)
    let text = child.readText()
    return (child.wait(), text)
  }

  /// The path of a program of this package, which stands beside the tests.
  package static func beside(_ name: String) -> String {
    let own = CommandLine.arguments[0]
    return (own.lastIndex(of: "/").map { own[...$0] } ?? "./") + name
  }
}
