import CSQLite
import Synchronization

/// Ends what a connection is doing, from any thread, also when the connection is long closed.
public final class Interrupter: Sendable {
  /// A handle that may be named on any thread; only `sqlite3_interrupt` is called with it here.
  private struct Address: @unchecked Sendable {
    var handle: OpaquePointer?
  }

  private let address: Mutex<Address>

  init(_ handle: OpaquePointer) { address = Mutex(Address(handle: handle)) }

  /// Makes the statements that run now fail soon with `interrupt`; those that start later run.
  ///
  /// A wait for another connection's lock is not ended.
  public func interrupt() {
    // The lock keeps the connection from closing meanwhile, which SQLite asks for:
    // https://www.sqlite.org/c3ref/interrupt.html
    address.withLock { address in
      if let handle = address.handle { sqlite3_interrupt(handle) }
    }
  }

  /// Called before the connection closes.
  func forget() { address.withLock { $0.handle = nil } }
}
