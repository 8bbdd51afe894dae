import Glibc

/// A program that runs beside the benchmark, until it ends or is ended.
final class ChildProcess {
  let pid: pid_t
  private let path: String
  private var isRunning = true

  /// Starts a program; what it prints goes into the file `output`, or nowhere.
  ///
  /// The corresponding C functions are `posix_spawn` and `waitpid`.
  init(_ path: String, _ arguments: [String], output: String? = nil) throws {
    self.path = path
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, output ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var started = pid_t()
    guard posix_spawn(&started, path, &actions, nil, words, environ) == 0 else {
      throw ProgramFailure(path: path, status: -1)
    }
    pid = started
  }

  deinit { stop() }

  /// Waits for the end; throws unless it ends with one of these codes.
  func wait(for codes: ClosedRange<Int32> = 0...0) throws {
    let status = reap()
    let code = status >> 8 & 0xff
    guard status & 0x7f == 0, codes.contains(code) else {
      throw ProgramFailure(path: path, status: code)
    }
  }

  /// Asks the program to end, and waits until it has.
  func stop() {
    guard isRunning else { return }
    kill(pid, SIGTERM)
    _ = reap()
  }

  private func reap() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    isRunning = false
    return status
  }

  /// What processors have worked for the program so far, in microseconds.
  ///
  /// In steps of a clock tick, 10 ms mostly: see `utime` and `stime` in proc(5).
  var processorMicroseconds: Double {
    let text = SmallText.read("/proc/\(pid)/stat")
    // The program's name may have blanks in it; the first field behind it is the third.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return 0
    }
    return (user + system) * 1e6 / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// What the program has read so far, from files and connections: `rchar` in proc(5).
  var bytesRead: Double {
    for line in SmallText.read("/proc/\(pid)/io").split(separator: "\n")
    where line.hasPrefix("rchar:") {
      return line.split(separator: " ").last.flatMap { Double($0) } ?? 0
    }
    return 0
  }

  /// What the program holds in memory now, in MB, and the most that it has held.
  var heldMB: Double { Memory.megabytes("VmRSS:", of: "\(pid)") }
  var peakMB: Double { Memory.megabytes("VmHWM:", of: "\(pid)") }
}

/// Files of a few lines, such as those in /proc.
enum SmallText {
  static func read(_ path: String) -> String {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = Glibc.read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
