import Glibc

/// Standard output and standard error, without buffers of their own.
enum Terminal {
  static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

  static func error(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  /// Shows `text` after what was shown before, or clears the line; only where a person looks.
  static func progress(_ text: String?) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    write(text ?? "\r\u{1b}[K", to: STDERR_FILENO)
  }

  static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  private static func write(_ text: String, to file: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeBufferPointer(rebasing: rest)
        let written = Glibc.write(file, part.baseAddress, part.count)
        if written <= 0 { return }
        rest = rest.dropFirst(written)
      }
    }
  }
}

/// The most memory that the process has held since the last reset, from Linux.
enum Memory {
  /// Lets the peak begin at what is held now: https://docs.kernel.org/filesystems/proc.html, 1.1,
  /// `clear_refs`.
  static func resetPeak(of process: String = "self") {
    let file = open("/proc/\(process)/clear_refs", O_WRONLY)
    guard file >= 0 else { return }
    _ = Glibc.write(file, "5", 1)
    close(file)
  }

  static func peakMB() -> Double { megabytes("VmHWM:") }

  /// What the process holds now.
  static func heldMB() -> Double { megabytes("VmRSS:") }

  /// A figure of a process, this one when no other is named.
  static func megabytes(_ key: String, of process: String = "self") -> Double {
    for line in SmallText.read("/proc/\(process)/status").split(separator: "\n")
    where line.hasPrefix(key) {
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
      return kilobytes.flatMap { Double($0) }.map { $0 / 1024 } ?? 0
    }
    return 0
  }
}

/// The time that processors have worked for this process.
enum ProcessorTime {
  static func microseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
