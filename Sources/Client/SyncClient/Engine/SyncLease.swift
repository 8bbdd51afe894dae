import Glibc
import ObjectStore

/// Says that a store is being synced, until it is let go or the process ends: one at a time may.
///
/// A file beside the store carries a lock of the system (flock), which goes with the process that holds
/// it, however that ends; so nobody waits for the dead.
final class SyncLease: Sendable {
  private let file: Int32

  /// What follows the store's path in the name of the file.
  static let suffix = "-sync.lock"

  /// Takes the lease of a store; nil for one in memory, which nobody else can have.
  init?(_ location: Store.Location) throws {
    guard case .file(let path) = location else { return nil }
    // Whoever comes by another name means the same store.
    let opened = open(
      FilePaths.resolved(path) + Self.suffix, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard opened >= 0 else {
      throw SyncError(
        .busy, path, "cannot be locked for sync: \(String(cString: strerror(errno)))",
        fix: "make the folder writable")
    }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      close(opened)
      guard reason == EWOULDBLOCK else {
        throw SyncError(
          .busy, path, "cannot be locked for sync: \(String(cString: strerror(reason)))",
          fix: "keep the store in a folder whose file system has locks")
      }
      throw SyncError(
        .busy, path, "is being synced by another process",
        fix: "wait for it, or end it")
    }
    file = opened
  }

  deinit { close(file) }
}
