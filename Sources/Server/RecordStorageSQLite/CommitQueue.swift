import Dispatch
import RecordServer
import SQLiteDriver
import Synchronization

/// Runs writes one after the other, and commits those together that wait at the same time.
///
/// `@unchecked Sendable`: the connection is used only on `queue`, which is serial.
final class CommitQueue: @unchecked Sendable {
  /// How many writes one commit takes in at most, so that none waits for long.
  static let jobsMax = 256

  private let connection: Connection
  private let readers: ReaderPool
  private let queue = DispatchQueue(label: "contrail.records.writer")
  private let waiting = Mutex<[any QueuedWrite]>([])

  /// Writes on a connection, which `readers` make way for.
  init(_ connection: Connection, _ readers: ReaderPool) {
    self.connection = connection
    self.readers = readers
  }

  func add(_ job: any QueuedWrite) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(job)
      return waiting.count == 1
    }
    // Whoever comes to a list that is not empty is taken along by the one before.
    if isFirst { queue.async { self.commitWaiting() } }
  }

  private func commitWaiting() {
    while true {
      let jobs = waiting.withLock { waiting in Array(waiting.prefix(Self.jobsMax)) }
      if jobs.isEmpty { return }
      commit(jobs)
      let isDone = waiting.withLock { waiting in
        waiting.removeFirst(jobs.count)
        return waiting.isEmpty
      }
      if isDone { return }
    }
  }

  private func commit(_ jobs: [any QueuedWrite]) {
    do {
      try readers.withoutViews {
        try connection.transaction(.immediate, failingAs: { $0 as any Error }) {
          for job in jobs { try run(job, isAlone: jobs.count == 1) }
        }
      }
      for job in jobs { job.committed() }
    } catch {
      for job in jobs { job.failed(error) }
    }
  }

  /// Runs one write as a part of the commit; one that fails is undone and hears of it at the end.
  private func run(_ job: any QueuedWrite, isAlone: Bool) throws {
    let transaction = SQLiteTransaction(writingOn: connection)
    // Alone it needs no part of its own: the whole is undone.
    if isAlone { return try job.run(transaction) }
    do {
      try connection.savepoint(failingAs: { $0 as any Error }) { try job.run(transaction) }
    } catch {
      job.note(error)
    }
  }
}

/// A write that waits for its turn.
protocol QueuedWrite: Sendable {
  /// Does the work.
  func run(_ transaction: SQLiteTransaction) throws
  /// Notes that the work failed and was undone.
  func note(_ error: any Error)
  /// Called once the commit is on the disk: hands over the result, or the error that was noted.
  func committed()
  /// Called when nothing was committed.
  func failed(_ error: any Error)
}

/// A write with its body, and whoever waits for it.
///
/// `@unchecked Sendable`: `outcome` is touched only on the queue of the `CommitQueue` that it is in.
final class WriteJob<Value: Sendable>: QueuedWrite, @unchecked Sendable {
  private let body: @Sendable (any StorageTransaction) throws -> Value
  private let continuation: CheckedContinuation<Value, any Error>
  private var outcome: Result<Value, any Error>?

  init(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Value,
    _ continuation: CheckedContinuation<Value, any Error>
  ) {
    self.body = body
    self.continuation = continuation
  }

  func run(_ transaction: SQLiteTransaction) throws { outcome = .success(try body(transaction)) }

  func note(_ error: any Error) { outcome = .failure(error) }

  func committed() {
    continuation.resume(with: outcome ?? .failure(StorageFailure.readOnly))
  }

  func failed(_ error: any Error) {
    // What failed by itself says why; the others fail with the commit.
    if case .failure(let own)? = outcome { return continuation.resume(throwing: own) }
    continuation.resume(throwing: error)
  }
}
