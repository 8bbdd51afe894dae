import Glibc

/// Makes the process one whose sets and dictionaries are in the same order each time.
enum DeterministicHashing {
  private static let variable = "SWIFT_DETERMINISTIC_HASHING"

  /// Begins the process anew, once, where the environment does not say so yet.
  static func require() {
    if getenv(variable) != nil { return }
    setenv(variable, "1", 1)
    var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
    arguments.append(nil)
    execv("/proc/self/exe", arguments)
    // Where that is not possible the run is as good, and only another process may differ from it.
  }
}
