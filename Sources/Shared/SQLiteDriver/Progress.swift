import CSQLite

extension Connection {
  /// Asks `isToContinue` again and again while a statement runs; false ends it with `interrupt`.
  ///
  /// It is asked about every `instructions` steps of SQLite's virtual machine. Nil asks no more.
  public func setProgress(
    every instructions: Int32 = 1000, _ isToContinue: (@Sendable () -> Bool)?
  ) {
    guard let handle else { return }
    // SQLite lets go of the old box before it is released.
    sqlite3_progress_handler(handle, 0, nil, nil)
    database.progress = isToContinue.map(ProgressBox.init)
    guard let box = database.progress else { return }
    sqlite3_progress_handler(
      handle, max(instructions, 1),
      { box in
        guard let box else { return 0 }
        return Unmanaged<ProgressBox>.fromOpaque(box).takeUnretainedValue().isToContinue() ? 0 : 1
      }, Unmanaged.passUnretained(box).toOpaque())
  }
}

/// Holds a closure for SQLite's callback.
final class ProgressBox {
  let isToContinue: @Sendable () -> Bool

  init(_ isToContinue: @escaping @Sendable () -> Bool) { self.isToContinue = isToContinue }
}
