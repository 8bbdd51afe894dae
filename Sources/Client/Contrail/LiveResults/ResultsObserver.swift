import Foundation
public import ObjectStore
public import Observation
import PredicateSQL

/// What changed in results, in one step.
public typealias ResultsUpdate = ObjectStore.ResultsUpdate

/// The models of an observer's results.
public typealias ResultsList<Element> = ObjectStore.ResultsList<Element>

/// The models of one section.
public typealias ResultsSection<Element, SectionTitle: Hashable> = ObjectStore.ResultsSection<
  Element, SectionTitle
>

/// Sections of models.
public typealias SectionedResults<Element, SectionTitle: Hashable> = ObjectStore.SectionedResults<
  Element, SectionTitle
>

/// A fetch whose results stay up to date.
///
/// ```swift
/// let observer = try ResultsObserver(sortBy: [SortDescriptor(\Trip.start)], modelContext: context)
/// for trip in observer.results { … }
/// ```
///
/// It belongs to the isolation of its context, and it can be observed. The results follow changes of the
/// context, of other contexts of the container, and of other processes.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable>: Observable {
  private let observer: ObjectStore.ResultsObserver<Element, SectionTitle>
  private var descriptor: FetchDescriptor<Element>
  private let context: ModelContext

  init(
    _ descriptor: FetchDescriptor<Element>, _ key: SectionKey<Element, SectionTitle>?,
    _ context: ModelContext
  ) throws {
    self.descriptor = descriptor
    self.context = context
    let plan = try DescriptorPlan(descriptor)
    observer = try ObjectStore.ResultsObserver(
      plan.request, sectionBy: key, element: { $0.model(as: Element.self) },
      refine: plan.refinement, context: try context.part(of: Element.self))
  }

  /// The models found, section after section where there are sections.
  public var results: ResultsList<Element> { observer.results }

  /// The models found in their sections; nil where there are no sections.
  public var sections: SectionedResults<Element, SectionTitle>? { observer.sections }

  /// Why the results could not be fetched when they last should have been; they are the last good ones
  /// then.
  public var fetchError: (any Error)? { observer.fetchError }

  /// The context of the models.
  public var modelContext: ModelContext { context }

  /// What is asked for.
  public var fetchDescriptor: FetchDescriptor<Element> { descriptor }

  /// What must be true of a model; nil for all.
  ///
  /// What the store cannot be asked of it is evaluated for each model that it finds.
  public var filterBy: Predicate<Element>? {
    get { descriptor.predicate }
    set { change { $0.predicate = newValue } }
  }

  /// The order, the most important first; what makes sections comes before it.
  public var sortBy: [SortDescriptor<Element>] {
    get { descriptor.sortBy }
    set { change { $0.sortBy = newValue } }
  }

  /// Changes several things at once: the results are fetched once.
  public func update(_ body: (inout FetchDescriptor<Element>) -> Void) { change(body) }

  /// Fetches the results again, whether anything is known to have changed or not.
  public func refetch() { observer.refetch() }

  /// What changes from now on, step by step.
  public func updates() -> AsyncStream<ResultsUpdate> { observer.updates() }

  private func change(_ body: (inout FetchDescriptor<Element>) -> Void) {
    var changed = descriptor
    body(&changed)
    context.keepingFailure {
      let plan = try DescriptorPlan(changed)
      descriptor = changed
      observer.update(refine: plan.refinement) {
        $0.filter = plan.request.filter
        $0.sort = plan.request.sort
      }
    }
  }
}

@available(*, unavailable, message: "an observer stays where its context is")
extension ResultsObserver: @unchecked Sendable {}

extension DescriptorPlan {
  /// What the store leaves to do; nil where that is nothing.
  var refinement: ResultsRefining? {
    if isWhole { return nil }
    return { objects in
      try finish(objects.map { $0.model(as: T.self) }).map(\.managedObject)
    }
  }
}
