public import ObjectStore

/// A context for work beside the program's main isolation, such as an import.
///
/// It owns its executor, wherever it was made.
///
/// ```swift
/// let background = BackgroundContext(container, author: "import")
/// let count = try await background.perform { context in
///   for quake in quakes { context.insert(Quake(quake)) }
///   try context.save()
///   return try context.fetchCount(FetchDescriptor<Quake>())
/// }
/// ```
///
/// The context and its models are good within the block only, and the compiler refuses to let them out.
/// What leaves the block is `Sendable`: identifiers, counts, values. What others commit is taken in between
/// two blocks, and with every fetch and save. A block that leaves changes unsaved leaves them to the next
/// block.
public final class BackgroundContext: Sendable {
  /// When a block runs: `.immediate`, at once where the caller is on the executor already, or `.enqueued`,
  /// after all that waits, whoever calls.
  public typealias Schedule = ObjectStore.Schedule

  private let executor: ContextExecutor
  // Touched on the executor only; `init` and `deinit` are alone with it.
  private nonisolated(unsafe) let context: ModelContext

  /// Makes a context over `container`, with an executor of its own; `author` is who history says it was.
  public convenience init(_ container: ModelContainer, author: String? = nil) {
    self.init(container, author: author, ContextExecutor())
  }

  init(_ container: ModelContainer, author: String?, _ executor: ContextExecutor) {
    self.executor = executor
    context = ModelContext(container, isolation: nil)
    context.author = author
    context.confine(to: executor)
  }

  /// For an actor that uses the context's executor as its own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

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

  /// Runs `body` on the executor and blocks the thread until it is done; at once where the caller is on the
  /// executor already.
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
  /// What it throws is thrown by the next save, and shown in the context's `problems`.
  public func performLater(_ body: @escaping @Sendable (ModelContext) throws -> Void) {
    executor.submit { [self] in context.keepingFailure { try body(context) } }
  }
}

extension ModelContainer {
  /// Runs `body` with a new context on an executor of its own: beside all others.
  ///
  /// The context is gone after the block, and with it what the block did not save. Throws
  /// `CancellationError`, and does not run `body`, when the task is cancelled before it begins.
  public func performBackgroundTask<Value: Sendable>(
    _ body: @escaping @Sendable (ModelContext) throws -> Value
  ) async throws -> Value {
    try await BackgroundContext(self).perform(schedule: .enqueued, body)
  }

  /// Runs `body` with a new context on the container's executor, where blocks take turns.
  ///
  /// The context is gone after the block, and with it what the block did not save.
  public func perform<Value: Sendable>(
    schedule: BackgroundContext.Schedule = .immediate,
    _ body: @escaping @Sendable (ModelContext) throws -> Value
  ) async throws -> Value {
    try await BackgroundContext(self, author: nil, core.executor).perform(schedule: schedule, body)
  }
}
