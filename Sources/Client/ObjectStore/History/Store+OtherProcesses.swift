import SQLiteDriver
import Synchronization

extension Store {
  /// Makes known to every context what other processes, and other stores in this one, have committed;
  /// whether there may have been any since the last call.
  ///
  /// Every fetch of a context begins with it, and a save does it that others have overtaken. It costs about a
  /// microsecond when nothing happened.
  @discardableResult
  public func receiveRemoteChanges() throws -> Bool {
    do {
      return try remote.receive()
    } catch let error as SQLiteError {
      throw StoreError(error, location)
    }
  }

  /// Begins to watch the file for what other processes commit, until the store goes, so that whoever
  /// listens hears of it without asking.
  ///
  /// A thread waits for the kernel's word that the file was written to. Calling it again does nothing.
  public func watchOtherProcesses() {
    guard case .file(let path) = location else { return }
    watch.withLock { watch in
      if watch != nil { return }
      watch = FileWatch(path) { [weak self] in
        guard let self else { return .end }
        // What cannot be read now is reported to the next context that asks.
        return (try? receiveRemoteChanges()) == true ? .changed : .unchanged
      }
    }
  }
}
