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
  /// Observes the models that a descriptor asks for.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), modelContext: ModelContext
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
    modelContext: ModelContext
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
}

extension ResultsObserver where SectionTitle == String {
  /// Observes models in sections by a text of theirs.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(),
    sectionBy: KeyPath<Element, String>, modelContext: ModelContext
  ) throws {
    try self.init(fetchDescriptor, .by(sectionBy), modelContext)
  }

  /// Observes models in sections by a text of theirs.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(),
    sectionBy: KeyPath<Element, String>, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      fetchDescriptor, .by(sectionBy), modelContainer.observingContext(isolation: isolation))
  }

  /// Observes models in sections by a text of theirs.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: KeyPath<Element, String>, modelContext: ModelContext
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), .by(sectionBy), modelContext)
  }
}

extension ResultsObserver where SectionTitle == String? {
  /// Observes models in sections by a text that they may have.
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(),
    sectionBy: KeyPath<Element, String?>, modelContext: ModelContext
  ) throws {
    try self.init(fetchDescriptor, .by(sectionBy), modelContext)
  }

  /// Observes models in sections by a text that they may have.
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
    sectionBy: KeyPath<Element, String?>, modelContext: ModelContext
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), .by(sectionBy), modelContext)
  }
}

extension SectionKey where Element: PersistentModel {
  /// Sections by a kept property where the key path leads to one, else by what it gives for each model.
  fileprivate static func by(_ path: KeyPath<Element, String>) -> SectionKey<Element, String>
  where Title == String {
    if let name = ModelNames().propertyName(of: path), !name.isEmpty { return .property(name) }
    return .computed { $0[keyPath: path] }
  }

  fileprivate static func by(_ path: KeyPath<Element, String?>) -> SectionKey<Element, String?>
  where Title == String? {
    if let name = ModelNames().propertyName(of: path), !name.isEmpty { return .property(name) }
    return .computed { $0[keyPath: path] }
  }
}
