import ObjectStore

/// An executor that a model context belongs to.
public protocol ModelExecutor: Executor {
  /// The context, which only the executor's jobs may use.
  var modelContext: ModelContext { get }
}

/// An executor with a model context that runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// An executor with a thread of its own, wherever it was made.
///
/// Unchecked: the context is used by the executor's jobs only, which run one at a time.
public final class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
  /// The context, which only the executor's jobs may use.
  public let modelContext: ModelContext
  private let executor = ContextExecutor(label: "contrail.model-actor")

  /// Takes a context that nobody else uses.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    modelContext.confine(to: executor)
  }

  /// Takes a job.
  public func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job) }

  /// What stands for the executor in an actor.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
}

/// An actor that works with a model context of its own, beside all others.
///
/// `@ModelActor` writes what it needs. Models do not leave the actor; their identifiers do.
public protocol ModelActor: Actor {
  /// The container.
  nonisolated var modelContainer: ModelContainer { get }
  /// The executor, which has the context.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
  /// The model executor is the actor's own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    // An executor that runs several jobs at once is none for an actor.
    (modelExecutor as? any SerialModelExecutor)?.asUnownedSerialExecutor()
      ?? MainActor.sharedUnownedExecutor
  }

  /// The actor's context.
  public var modelContext: ModelContext { modelExecutor.modelContext }

  /// The model that an identifier names; nil where it is deleted, or of another class.
  public subscript<T: PersistentModel>(id: PersistentIdentifier, as type: T.Type) -> T? {
    modelContext.existingModel(for: id)
  }
}
