public import Foundation
import ObjectStore

extension ModelContainer {
  /// The context in which a caller with that isolation observes.
  func observingContext(isolation: isolated (any Actor)?) -> ModelContext {
    guard isolation === MainActor.shared else {
      return ModelContext(self, isolation: isolation)
    }
    // The caller is on the main actor, and stays there with what it gets.
    nonisolated(unsafe) var found: ModelContext?
    MainActor.assumeIsolated { found = mainContext }
    return found ?? ModelContext(self, isolation: isolation)
  }
}

extension ResultsObserver where SectionTitle == Never {
  /// Observes the models that a descriptor asks for, in a context of the caller's isolation.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, nil, modelContext)
  }

  /// Observes the models that a descriptor asks for, in the main context where the caller is on the main
  /// actor, else in a context of its own.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, nil, modelContainer.observingContext(isolation: isolation))
  }

  /// Observes the models that a predicate is true of.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, modelContext)
  }

  /// Observes the models that a predicate is true of, in the main context where the caller is on the main
  /// actor, else in a context of its own.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil,
      modelContainer.observingContext(isolation: isolation))
  }

  /// Observes the models that a descriptor asks for in a context that may not exist yet, nor its container:
  /// `context` is asked for it when results are first needed, and again after it has thrown.
  ///
  /// ```swift
  /// let trips = try ResultsObserver<Trip, Never>(late: { try app.container().mainContext })
  /// ```
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(),
    late context: @escaping () throws -> ModelContext
  ) throws {
    try self.init(fetchDescriptor, nil, late: context)
  }
}

// In sections: by a property, or by anything else that a class has, of any type that is `Hashable`.
extension ResultsObserver {
  /// Observes models in sections.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(),
    sectionBy: KeyPath<Element, SectionTitle>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, sectionBy, modelContext)
  }

  /// Observes models in sections, in the main context where the caller is on the main actor, else in a
  /// context of its own.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(),
    sectionBy: KeyPath<Element, SectionTitle>, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      fetchDescriptor, sectionBy, modelContainer.observingContext(isolation: isolation))
  }

  /// Observes models in sections.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: KeyPath<Element, SectionTitle>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), sectionBy, modelContext)
  }

  /// Observes models in sections, in the main context where the caller is on the main actor, else in a
  /// context of its own.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: KeyPath<Element, SectionTitle>, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), sectionBy,
      modelContainer.observingContext(isolation: isolation))
  }

  /// Observes models in sections, in a context that may not exist yet.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(),
    sectionBy: KeyPath<Element, SectionTitle>, late context: @escaping () throws -> ModelContext
  ) throws {
    try self.init(fetchDescriptor, sectionBy, late: context)
  }
}

// In sections by a text that may be nil: models without one are in a section with an empty title, before those whose
// text is empty.
extension ResultsObserver where SectionTitle == String {
  /// Observes models in sections.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(),
    sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      fetchDescriptor, sectionBy.appending(path: \.orEmpty), modelContext, optionalText: sectionBy)
  }

  /// Observes models in sections, in the main context where the caller is on the main actor, else in a
  /// context of its own.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(),
    sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      fetchDescriptor, sectionBy.appending(path: \.orEmpty),
      modelContainer.observingContext(isolation: isolation), optionalText: sectionBy)
  }

  /// Observes models in sections.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []),
      sectionBy.appending(path: \.orEmpty), modelContext, optionalText: sectionBy)
  }

  /// Observes models in sections, in the main context where the caller is on the main actor, else in a
  /// context of its own.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []),
      sectionBy.appending(path: \.orEmpty),
      modelContainer.observingContext(isolation: isolation), optionalText: sectionBy)
  }

  /// Observes models in sections, in a context that may not exist yet.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(),
    sectionBy: KeyPath<Element, String?>, late context: @escaping () throws -> ModelContext
  ) throws {
    try self.init(
      fetchDescriptor, sectionBy.appending(path: \.orEmpty), late: context,
      optionalText: sectionBy)
  }
}
