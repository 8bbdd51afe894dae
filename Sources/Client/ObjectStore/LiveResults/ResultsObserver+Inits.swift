// Results that are objects as they are. A typed face makes the same with its models for elements.
extension ResultsObserver where Element == ManagedObject {
  /// Observes objects in sections.
  public convenience init(
    _ request: FetchRequest, sectionBy: SectionKey<ManagedObject, SectionTitle>?,
    context: ModelContext
  ) throws {
    try self.init(request, sectionBy: sectionBy, element: { $0 }, context: context)
  }

  /// Observes objects in sections, in the main actor's context where the caller is there, else in a new
  /// context at home in the isolation of the caller.
  public convenience init(
    _ request: FetchRequest, sectionBy: SectionKey<ManagedObject, SectionTitle>?,
    container: StoreContainer, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      request, sectionBy: sectionBy, element: { $0 },
      context: container.observingContext(for: request.entity, isolation: isolation))
  }

  /// Observes objects in sections, in a context that may not exist yet.
  public convenience init(
    _ request: FetchRequest, sectionBy: SectionKey<ManagedObject, SectionTitle>?,
    late context: @escaping () throws -> ModelContext
  ) {
    self.init(request, sectionBy: sectionBy, element: { $0 }, late: context)
  }
}

extension ResultsObserver where Element == ManagedObject, SectionTitle == Never {
  /// Observes objects.
  public convenience init(_ request: FetchRequest, context: ModelContext) throws {
    try self.init(request, sectionBy: nil, element: { $0 }, context: context)
  }

  /// Observes objects, in the main actor's context where the caller is there, else in a new context at home
  /// in the isolation of the caller.
  public convenience init(
    _ request: FetchRequest, container: StoreContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      request, sectionBy: nil, element: { $0 },
      context: container.observingContext(for: request.entity, isolation: isolation))
  }

  /// Observes objects in a context that may not exist yet.
  ///
  /// ```swift
  /// let flights = ResultsObserver(FetchRequest("Flight"), late: { try app.container().mainContext })
  /// ```
  public convenience init(
    _ request: FetchRequest, late context: @escaping () throws -> ModelContext
  ) {
    self.init(request, sectionBy: nil, element: { $0 }, late: context)
  }
}

extension StoreContainer {
  /// The context in which a caller with that isolation observes objects of `entity`.
  public func observingContext(
    for entity: String, isolation: isolated (any Actor)? = #isolation
  ) throws(StoreError) -> ModelContext {
    guard isolation === MainActor.shared else {
      return try context(for: entity, isolation: isolation)
    }
    // The caller is on the main actor, and stays there with what it gets.
    nonisolated(unsafe) var found: Result<ModelContext, StoreError>?
    MainActor.assumeIsolated {
      do throws(StoreError) {
        found = .success(try mainContext(for: entity))
      } catch {
        found = .failure(error)
      }
    }
    if let found { return try found.get() }
    return try context(for: entity, isolation: isolation)
  }
}
