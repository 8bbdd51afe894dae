import Glibc

/// Says that a file is in use by whoever holds this, until it is let go or the process ends.
///
/// A lock file beside the file carries the lock of the system (flock), which goes with the process that
/// holds it. The file itself cannot: each save replaces it.
final class FileLock: Sendable {
  private let file: Int32
  private let path: String

  /// The name of the lock file.
  static func name(_ path: String) -> String { path + ".lock" }

  /// Takes the lock of the store at `store`, or throws `busy` when someone has it.
  init(store: String) throws {
    path = Self.name(store)
    while true {
      let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
      guard opened >= 0 else {
        let reason = errno
        throw StoreError(
          reason == EACCES || reason == EROFS ? .readOnly : .cannotOpen, store,
          "cannot be locked: \(String(cString: strerror(reason)))",
          fix: "make the folder writable, or open the store without allowing to save")
      }
      guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
        let reason = errno
        close(opened)
        if reason == EINTR { continue }
        throw StoreError(
          .busy, store, "is open for saving elsewhere",
          fix: "close it there, open it without allowing to save, or use an SQLite store")
      }
      // Whoever let the lock go took the file away, maybe after it was opened here.
      if Self.isSame(opened, path) {
        file = opened
        return
      }
      close(opened)
    }
  }

  private static func isSame(_ file: Int32, _ path: String) -> Bool {
    var held = stat()
    var named = stat()
    return fstat(file, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino
      && held.st_dev == named.st_dev
  }

  deinit {
    // While the lock is still held, so that nobody else's lock file is taken away.
    unlink(path)
    close(file)
  }
}
