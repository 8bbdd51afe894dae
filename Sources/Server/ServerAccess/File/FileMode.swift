import Glibc

/// Keeps others on the machine from reading the file.
enum FileMode {
  /// What a file of secrets allows: its owner reads and writes it.
  static let ownerOnly: mode_t = 0o600

  /// Makes the file at `path` when it is absent, and takes it from all but its owner.
  static func prepare(_ path: String) throws(AccountError) {
    if path.isEmpty || path.utf8.contains(0) {
      throw failure(path, "is no name of a file")
    }
    // SQLite would make it readable for all, and gives the files beside it the same mode.
    let made = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, ownerOnly)
    if made >= 0 {
      close(made)
      return
    }
    guard errno == EEXIST else { throw failure(path, "cannot be made: \(reason)") }
    // NB: an existing file is not opened here: closing it would end the locks that SQLite has on it in this
    // process. See https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path, "cannot be read: \(reason)") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure(path, "is not a file") }
    if status.st_mode & 0o077 == 0 { return }
    guard chmod(path, ownerOnly) == 0 else {
      throw failure(path, "can be read by others, and cannot be kept from them: \(reason)")
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }

  private static func failure(_ path: String, _ message: String) -> AccountError {
    AccountError(
      .cannotOpen, path.isEmpty ? "\"\"" : path.shownInErrors, message,
      fix: "check the path, and who may write to its folder")
  }
}
