/// When a block that is handed to a context runs.
public enum Schedule: Sendable, Hashable {
  /// At once where the caller is on the context's executor already, else in its turn.
  case immediate
  /// After everything that waits already, whoever calls.
  case enqueued
}

/// A context for work beside the program's main isolation.
///
/// It owns its executor, wherever it was made.
///
/// ```swift
/// let background = BackgroundContext(store)
/// let count = try await background.perform { context in
///   try context.insert("LogEntry").setValue("tailNumber", .string("N628TS"))
///   try context.save()
///   return context.problems.count
/// }
/// ```
///
/// The context and its objects are good within the block only, and the compiler refuses to let them out.
/// What leaves the block is `Sendable`: identities, snapshots, values. What others commit is taken in
/// between two blocks, and with every fetch and save. A block that leaves changes unsaved leaves them to
/// the next block.
public final class BackgroundContext: Sendable {
  /// The store that the context reads and writes.
  public let store: Store
  /// Runs the blocks, one at a time, in the order in which they came.
  public let executor: ContextExecutor
  // Touched on the executor only; `init` and `deinit` are alone with it.
  private nonisolated(unsafe) let context: ModelContext

  /// Makes a context over `store`, with an executor of its own.
  public convenience init(_ store: Store, author: String? = nil) {
    self.init(store, author: author, executor: ContextExecutor())
  }

  init(_ store: Store, author: String?, executor: ContextExecutor) {
    self.store = store
    self.executor = executor
    context = ModelContext(store, home: .executor(executor))
    context.author = author
  }

  /// For an actor that uses the context's executor as its own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The context itself, for an actor that names `unownedExecutor` as its own; nil for any other.
  ///
  /// ```swift
  /// actor Importer {
  ///   let background: BackgroundContext
  ///   nonisolated var unownedExecutor: UnownedSerialExecutor { background.unownedExecutor }
  ///   var modelContext: ModelContext? { background.modelContext(for: self) }
  /// }
  /// ```
  public func modelContext(for actor: isolated any Actor) -> ModelContext? {
    executor.isCurrent ? context : nil
  }
}

extension BackgroundContext {
  /// Runs `body` on the executor and returns what it returns; what it throws is thrown here.
  ///
  /// Throws `CancellationError`, and does not run `body`, when the task is cancelled before its turn.
  public func perform<Value: Sendable>(
    schedule: Schedule = .immediate,
    _ body: @escaping @Sendable (ModelContext) throws -> Value
  ) async throws -> Value {
    if schedule == .immediate, executor.isCurrent { return try body(context) }
    return try await executor.run { [self] in try body(context) }
  }

  /// Runs `body` on the executor and blocks the thread until it is done; at once where the caller is on
  /// the executor already.
  ///
  /// The executor's thread is none of Swift's pool, so an actor that blocks here cannot starve it. `body`
  /// cannot await; one that blocks on the main thread (`DispatchQueue.main.sync`) while the main actor
  /// waits here waits for ever, and so do two contexts whose blocks wait for each other from two sides.
  @available(*, noasync, message: "await perform instead")
  public func performAndWait<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (ModelContext) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try executor.runAndWait { [self] () -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try body(context))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Runs `body` on the executor some time; nobody waits.
  ///
  /// What it throws is noted in `problems` of the context, and told to its `onProblem`.
  public func performLater(_ body: @escaping @Sendable (ModelContext) throws -> Void) {
    executor.submit { [self] in
      do {
        try body(context)
      } catch {
        context.note(StoreError(unexpected: error, subject: "background block"))
      }
    }
  }

  /// What is committed from now on, by this context and by others.
  public func changes() async throws -> AsyncStream<ContextChange> {
    try await perform { $0.changes() }
  }
}

extension Store {
  /// Runs `body` with a context of its own, after what was handed to the store before.
  ///
  /// The context is gone after the block, and with it what the block did not save. A nested `.immediate`
  /// call has another context still.
  public func perform<Value: Sendable>(
    schedule: Schedule = .immediate,
    _ body: @escaping @Sendable (ModelContext) throws -> Value
  ) async throws -> Value {
    if schedule == .immediate, executor.isCurrent {
      return try body(ModelContext(self, home: .executor(executor)))
    }
    return try await executor.run { [self] in
      try body(ModelContext(self, home: .executor(executor)))
    }
  }

  /// Like `perform`, but blocks the thread until `body` is done.
  @available(*, noasync, message: "await perform instead")
  public func performAndWait<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (ModelContext) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try executor.runAndWait { [self] () -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try body(ModelContext(self, home: .executor(executor))))
      } catch {
        return .failure(error)
      }
    }.get()
  }
}

extension StoreError {
  /// An error of any kind as one that a context keeps.
  init(unexpected error: any Error, subject: String) {
    self =
      (error as? StoreError) ?? StoreError(.blockFailed, subject, "failed: \(error)")
  }
}
