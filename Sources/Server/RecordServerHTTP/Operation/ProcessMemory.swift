import Glibc

/// How much memory the process takes.
enum ProcessMemory {
  /// Bytes in memory, as the kernel counts them; 0 where it does not say.
  static var residentBytes: Int64 {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let text = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The second number is the resident set, in pages: man 5 proc_pid_statm.
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
}
