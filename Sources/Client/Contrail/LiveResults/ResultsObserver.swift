public import Foundation
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
  private let base: FetchDescriptor<Element>
  private let context: LateContext<Element>
  private let registrar = ObservationRegistrar()
  private var asked: Configuration
  /// Why what was asked for last cannot be asked.
  private var refusal: (any Error)?

  /// What is asked for of that which can be changed.
  public struct Configuration {
    /// What must be true of a model; nil for all.
    public var predicate: Predicate<Element>?
    /// The order, the most important first; what makes sections comes before it.
    public var sortBy: [SortDescriptor<Element>]
    /// What makes sections; nil for none.
    public var sectionBy: KeyPath<Element, SectionTitle>?
    /// What `sectionBy` was made of, where models without a text make a section without a title.
    var optionalText: KeyPath<Element, String?>?
  }

  init(
    _ descriptor: FetchDescriptor<Element>, _ sectionBy: KeyPath<Element, SectionTitle>?,
    _ context: ModelContext, optionalText: KeyPath<Element, String?>? = nil
  ) throws {
    base = descriptor
    asked = Configuration(
      predicate: descriptor.predicate, sortBy: descriptor.sortBy, sectionBy: sectionBy,
      optionalText: optionalText)
    self.context = LateContext { context }
    _ = try self.context.get()
    let part = try context.part(askedFor: asked.wholeDescriptor(base))
    let plan = try asked.plan(base, context.core)
    observer = try ObjectStore.ResultsObserver(
      plan.request, sectionBy: plan.sectionBy, element: { $0.model(as: Element.self) },
      refine: plan.refine, context: part)
  }

  init(
    _ descriptor: FetchDescriptor<Element>, _ sectionBy: KeyPath<Element, SectionTitle>?,
    late make: @escaping () throws -> ModelContext,
    optionalText: KeyPath<Element, String?>? = nil
  ) throws {
    base = descriptor
    asked = Configuration(
      predicate: descriptor.predicate, sortBy: descriptor.sortBy, sectionBy: sectionBy,
      optionalText: optionalText)
    let context = LateContext<Element>(make)
    self.context = context
    let plan = try asked.plan(base)
    context.asked = asked.wholeDescriptor(base)
    observer = ObjectStore.ResultsObserver(
      plan.request, sectionBy: plan.sectionBy, element: { $0.model(as: Element.self) },
      refine: plan.refine,
      late: { try context.get().part(askedFor: context.asked) })
  }
}

@available(*, unavailable, message: "an observer stays where its context is")
extension ResultsObserver: @unchecked Sendable {}

// The results.
extension ResultsObserver {
  /// The models found, section after section where there are sections.
  public var results: ResultsList<Element> { observer.results }

  /// The models found in their sections; nil where there are no sections.
  public var sections: SectionedResults<Element, SectionTitle>? { observer.sections }

  /// Why the results could not be fetched when they last should have been, or why what was asked for last
  /// cannot be asked; they are the last good ones then.
  public var fetchError: (any Error)? {
    registrar.access(self, keyPath: \.fetchError)
    return refusal ?? observer.fetchError
  }

  /// The model at a place of a section: the section's place comes first; nil where there is none.
  public func element(at indexPath: IndexPath) -> Element? {
    guard let sections, indexPath.count == 2, sections.indices.contains(indexPath[0]) else {
      return nil
    }
    let section = sections[indexPath[0]]
    return section.indices.contains(indexPath[1]) ? section[indexPath[1]] : nil
  }

  /// The place of a model's section, and the model's place in it; nil where it is in none.
  public func indexPath(for element: Element) -> IndexPath? {
    guard let found = sections?.place(of: element.managedObject) else { return nil }
    return IndexPath(indexes: [found.section, found.item])
  }

  /// The context of the models; nil as long as it does not exist.
  public var modelContext: ModelContext? { context.known }

  /// Fetches the results again, whether anything is known to have changed or not.
  public func refetch() {
    do {
      _ = try context.known?.part(askedFor: asked.wholeDescriptor(base))
      if refusal != nil { refuse(nil) }
      observer.refetch()
    } catch {
      refuse(error)
    }
  }

  /// What changes from now on, step by step.
  public func updates() -> AsyncStream<ResultsUpdate> { observer.updates() }
}

// What is asked for.
extension ResultsObserver {
  /// What is asked for.
  public var fetchDescriptor: FetchDescriptor<Element> { configuration.descriptor(base) }

  /// What is asked for of that which can be changed, as one value; a change is fetched once results are
  /// read, or soon by itself.
  ///
  /// What the store cannot be asked is evaluated for the models that it finds. What cannot be evaluated either
  /// leaves everything as it was, and is the `fetchError`.
  public var configuration: Configuration {
    get {
      // Observed there: each change is handed on.
      _ = observer.configuration
      return asked
    }
    set { ask(newValue) { observer.configuration = $0 } }
  }

  /// What must be true of a model; nil for all.
  ///
  /// What the store cannot be asked of it is evaluated for each model that it finds.
  public var filterBy: Predicate<Element>? {
    get { configuration.predicate }
    set { configuration.predicate = newValue }
  }

  /// The order, the most important first; what makes sections comes before it.
  public var sortBy: [SortDescriptor<Element>] {
    get { configuration.sortBy }
    set { configuration.sortBy = newValue }
  }

  /// What makes sections; nil for none.
  ///
  /// Models are sorted by a kept property that makes sections first of all, so that each section is in one
  /// piece. By what a class computes they cannot be sorted: then those with one title are put together
  /// where the first of them is.
  public var sectionBy: KeyPath<Element, SectionTitle>? {
    get { configuration.sectionBy }
    set { configuration.sectionBy = newValue }
  }

  /// Changes several things at once: the results are fetched once, and told once.
  ///
  /// ```swift
  /// observer.update {
  ///   $0.sortBy = [SortDescriptor(\.magnitude, order: .reverse)]
  ///   $0.sectionBy = \.strength
  /// }
  /// ```
  public func update(_ body: (inout Configuration) -> Void) {
    var changed = asked
    body(&changed)
    ask(changed) { new in observer.update { $0 = new } }
  }

  private func ask(
    _ new: Configuration, _ hand: (ResultsConfiguration<Element, SectionTitle>) -> Void
  ) {
    do {
      let whole = new.wholeDescriptor(base)
      _ = try context.known?.part(askedFor: whole)
      let plan = try new.plan(base, context.known?.core)
      (asked, context.asked) = (new, whole)
      if refusal != nil { refuse(nil) }
      hand(
        ResultsConfiguration(
          filter: plan.request.filter, sort: plan.request.sort, sectionBy: plan.sectionBy,
          refine: plan.refine))
    } catch {
      refuse(error)
    }
  }

  private func refuse(_ error: (any Error)?) {
    registrar.withMutation(of: self, keyPath: \.fetchError) { refusal = error }
  }
}

extension ResultsObserver.Configuration {
  /// The property whose texts are the sections' titles, where it may be nil.
  private var keptText: PartialKeyPath<Element>? {
    guard let optionalText, let sectionBy,
      optionalText.appending(path: \.orEmpty) as AnyKeyPath == sectionBy
    else { return nil }
    return optionalText
  }

  /// The descriptor that it makes of the one that the observer began with.
  func descriptor(_ base: FetchDescriptor<Element>) -> FetchDescriptor<Element> {
    var descriptor = base
    descriptor.predicate = predicate
    descriptor.sortBy = sortBy
    return descriptor
  }

  /// All of which the results are the first: sections come before the order, and so before a limit.
  fileprivate func wholeDescriptor(_ base: FetchDescriptor<Element>) -> FetchDescriptor<Element> {
    var whole = descriptor(base)
    (whole.fetchLimit, whole.fetchOffset) = (nil, nil)
    return whole
  }

  /// What the store is asked for, sorted by what makes sections first where it can be, and what is left to do.
  fileprivate func plan(
    _ base: FetchDescriptor<Element>, _ core: ContainerCore? = nil
  ) throws -> ObserverPlan<Element, SectionTitle> {
    let whole = try DescriptorPlan(descriptor(base), core)
    var plan = ObserverPlan<Element, SectionTitle>(
      request: whole.request, refine: whole.refinement)
    guard let sectionBy else { return plan }
    if ForcedPaths.unwrap(sectionBy) {
      throw ForcedPaths.refusal(
        Element.self, "is in sections by", fix: "write ? in place of !, to a text that may be nil")
    }
    // Where the order is made in memory, a section's models may be apart.
    plan.sectionBy = .computed { $0[keyPath: sectionBy] }
    guard whole.isSorted else { return plan }
    let kept: PartialKeyPath<Element> = keptText ?? sectionBy
    if let key = SectionKey<Element, SectionTitle>.by(kept) { plan.sectionBy = key }
    guard let name = SectionKey<Element, SectionTitle>.sortedName(kept) else { return plan }
    let expression = QueryExpression.property(name)
    let own = plan.request.sort.first { $0.expression == expression }
    plan.request.sort.removeAll { $0.expression == expression }
    plan.request.sort.insert(own ?? QuerySort(expression), at: 0)
    return plan
  }
}

/// How results are found: what the store does, and what is done in memory.
private struct ObserverPlan<Element: PersistentModel, SectionTitle: Hashable> {
  var request: FetchRequest
  var refine: ResultsRefining?
  var sectionBy: SectionKey<Element, SectionTitle>?
}

extension SectionKey where Element: PersistentModel {
  /// Sections by a kept text; nil where the key path leads to none.
  static func by(_ path: PartialKeyPath<Element>) -> SectionKey? {
    guard let name = ModelNames().propertyName(of: path), !name.isEmpty else { return nil }
    return SectionKey<Element, String>.property(name) as? SectionKey
      ?? SectionKey<Element, String?>.property(name) as? SectionKey
  }

  /// The name of the attribute that a key path leads to, where models can be sorted by it.
  static func sortedName(_ path: PartialKeyPath<Element>) -> String? {
    guard let name = ModelNames().propertyName(of: path), !name.isEmpty else { return nil }
    let isColumn = Element._$plan.layout.slots.contains {
      $0.name == name && $0.attribute != nil && $0.column != nil && $0.kind != .bytes
    }
    return isColumn ? name : nil
  }
}

extension Optional where Wrapped == String {
  /// The text, or an empty one.
  var orEmpty: String { self ?? "" }
}

/// A context that may come to be later.
private final class LateContext<Element: PersistentModel> {
  private(set) var known: ModelContext?
  /// What is asked for when there is one.
  var asked = FetchDescriptor<Element>()
  private let make: () throws -> ModelContext

  init(_ make: @escaping () throws -> ModelContext) { self.make = make }

  func get() throws -> ModelContext {
    if let known { return known }
    let made = try make()
    known = made
    return made
  }
}

extension DescriptorPlan {
  /// What the store leaves to do; nil where that is nothing.
  fileprivate var refinement: ResultsRefining? {
    if isWhole { return nil }
    return { objects in
      try finish(objects.map { $0.model(as: T.self) }).map(\.managedObject)
    }
  }
}
