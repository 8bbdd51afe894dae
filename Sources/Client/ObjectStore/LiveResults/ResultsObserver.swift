public import Observation
public import PredicateSQL

/// A fetch whose results stay up to date.
///
/// ```swift
/// let late = try ResultsObserver(
///   FetchRequest("Flight", where: .compare(.greater, .property("delay"), .literal(.integer(15)))),
///   sectionBy: SectionKey<ManagedObject, String>.property("airport"), context: context)
/// for section in late.sections ?? [] { print(section.title, section.count) }
/// for await update in late.updates() { show(update.difference) }
/// ```
///
/// It belongs to the isolation of its context, as the objects do. Where the context is at home on an actor
/// or an executor, the results follow soon after each change: of the context itself, saved or (where the
/// request says so) not, of other contexts, and of other processes. Everywhere they follow with the next
/// fetch or save of the context, and when they are read. Nothing is published when nothing changed.
///
/// Who is in the results, in which order and in which sections is of one moment: what was committed up to
/// then, and the context's own changes. So are the values of lists of up to 1000 objects; objects of longer
/// ones are read when they are used.
public final class ResultsObserver<Element, SectionTitle: Hashable>: Observable {
  private let query: LiveQuery
  private let element: (ManagedObject) -> Element
  private let registrar = ObservationRegistrar()
  private var current: ResultsConfiguration<Element, SectionTitle>
  private var shown: Shown
  private var shownError: StoreError?
  private var streams: [Int: AsyncStream<ResultsUpdate>.Continuation] = [:]
  private var lastStream = 0
  private var lastUpdate = 0

  /// Called with each update, after the results have changed, where the context is at home.
  public var onUpdate: ((ResultsUpdate) -> Void)?

  private struct Shown {
    var results: ResultsList<Element>
    var sections: SectionedResults<Element, SectionTitle>?
  }

  /// Makes an observer whose context, and with it the container and the store, may not exist yet: `context`
  /// is called when the results are first read, and again as long as it throws.
  ///
  /// `element` makes of an object what the results consist of; `refine` does what the request leaves to do.
  public init(
    _ request: FetchRequest, sectionBy: SectionKey<Element, SectionTitle>?,
    element: @escaping (ManagedObject) -> Element, refine: ResultsRefining? = nil,
    late context: @escaping () throws -> ModelContext
  ) {
    self.element = element
    current = ResultsConfiguration(
      filter: request.filter, sort: request.sort, sectionBy: sectionBy, refine: refine)
    query = LiveQuery(
      LiveQuery.Setup(
        request: request, sections: sectionBy?.making(element), refine: refine), context)
    shown = Shown(results: ResultsList(rows: ResultRows(), element: element, range: 0..<0))
    shown.sections = sections(of: query.rows)
    query.publish = { [weak self] _, outcome in self?.publish(outcome) }
  }

  /// Makes an observer and fetches its results; throws when they cannot be fetched.
  public convenience init(
    _ request: FetchRequest, sectionBy: SectionKey<Element, SectionTitle>?,
    element: @escaping (ManagedObject) -> Element, refine: ResultsRefining? = nil,
    context: ModelContext
  ) throws {
    self.init(
      request, sectionBy: sectionBy, element: element, refine: refine, late: { context })
    query.refresh()
    if let error = query.error { throw error }
    lastUpdate = 0
  }

  deinit { for stream in streams.values { stream.finish() } }
}

@available(*, unavailable, message: "an observer stays where its context is")
extension ResultsObserver: @unchecked Sendable {}

// The results.
extension ResultsObserver {
  /// The objects found, section after section where there are sections.
  public var results: ResultsList<Element> {
    query.refreshIfOutdated()
    registrar.access(self, keyPath: \.results)
    return shown.results
  }

  /// The objects found in their sections; nil where there are no sections.
  public var sections: SectionedResults<Element, SectionTitle>? {
    query.refreshIfOutdated()
    registrar.access(self, keyPath: \.sections)
    return shown.sections
  }

  /// Why the results could not be fetched when they last should have been; they are the last good
  /// ones then.
  ///
  /// The next change, of the request or of the store, tries again, and so does `refetch()`.
  public var fetchError: StoreError? {
    query.refreshIfOutdated()
    registrar.access(self, keyPath: \.fetchError)
    return shownError
  }

  /// The context of the objects; nil as long as it does not exist.
  public var modelContext: ModelContext? { query.context }

  /// How often the store was asked for the list, for tests.
  var lookCount: Int { query.lookCount }

  /// Fetches the results again, whether anything is known to have changed or not.
  public func refetch() {
    query.setup = query.setup
    query.refresh()
  }
}

// The request.
extension ResultsObserver {
  /// What is asked for, without the order that the sections add.
  public var request: FetchRequest {
    registrar.access(self, keyPath: \.configuration)
    return query.setup.request
  }

  /// What is asked for of that which can be changed, as one value; a change is fetched once results are
  /// read, or soon by itself.
  public var configuration: ResultsConfiguration<Element, SectionTitle> {
    get {
      registrar.access(self, keyPath: \.configuration)
      return current
    }
    set {
      registrar.withMutation(of: self, keyPath: \.configuration) {
        current = newValue
        var setup = query.setup
        setup.request.filter = newValue.filter
        setup.request.sort = newValue.sort
        setup.sections = newValue.sectionBy?.making(element)
        setup.refine = newValue.refine
        query.setup = setup
      }
    }
  }

  /// What must be true of an object; nil for all.
  public var filterBy: QueryExpression? {
    get { configuration.filter }
    set { configuration.filter = newValue }
  }

  /// The order of the objects; what sections are made by comes before it.
  public var sortBy: [QuerySort] {
    get { configuration.sort }
    set { configuration.sort = newValue }
  }

  /// What sections are made by; nil for none.
  public var sectionBy: SectionKey<Element, SectionTitle>? {
    get { configuration.sectionBy }
    set { configuration.sectionBy = newValue }
  }

  /// Changes several parts of the request at once: the results are fetched once, and published once.
  ///
  /// ```swift
  /// observer.update {
  ///   $0.sort = [QuerySort(.property("magnitude"), isAscending: false)]
  ///   $0.sectionBy = nil
  /// }
  /// ```
  public func update(_ change: (inout ResultsConfiguration<Element, SectionTitle>) -> Void) {
    var new = current
    change(&new)
    configuration = new
    query.refresh()
  }
}

// What is published.
extension ResultsObserver {
  /// What changes from now on, one update for each time.
  ///
  /// A reader that falls behind by more than `ModelContext.streamedChangesMax` misses the oldest; the next
  /// one that it reads has `isComplete` false then.
  public func updates() -> AsyncStream<ResultsUpdate> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ResultsUpdate.self, bufferingPolicy: .bufferingNewest(ModelContext.streamedChangesMax))
    lastStream += 1
    streams[lastStream] = continuation
    return stream
  }

  private func sections(of rows: ResultRows) -> SectionedResults<Element, SectionTitle>? {
    guard let parts = rows.sections else { return nil }
    return SectionedResults(
      list: ResultsList(rows: rows, element: element, range: rows.entries.indices),
      titles: parts.compactMap { ($0.title.base as? SectionTitleBox<SectionTitle>)?.title },
      parts: parts)
  }

  private func publish(_ outcome: LiveQuery.Outcome) {
    let isError = outcome.error != nil
    if outcome.error != shownError {
      registrar.withMutation(of: self, keyPath: \.fetchError) { shownError = outcome.error }
    }
    if !isError, !outcome.difference.isEmpty || outcome.sectionsChanged {
      registrar.withMutation(of: self, keyPath: \.results) {
        registrar.withMutation(of: self, keyPath: \.sections) {
          shown = Shown(
            results: ResultsList(
              rows: outcome.rows, element: element, range: outcome.rows.entries.indices),
            sections: sections(of: outcome.rows))
        }
      }
    }
    lastUpdate += 1
    let update = ResultsUpdate(
      number: lastUpdate, difference: outcome.difference,
      sectionsChanged: outcome.sectionsChanged, error: outcome.error, isComplete: true)
    for (number, stream) in streams {
      switch stream.yield(update) {
      case .dropped: stream.yield(update.incomplete)
      case .terminated: streams[number] = nil
      default: break
      }
    }
    onUpdate?(update)
  }
}

/// One change of a list of results; it may go anywhere.
public struct ResultsUpdate: Sendable, Hashable {
  /// How many updates there have been, this one included.
  public let number: Int
  /// What makes the new list of the one before.
  public let difference: ResultsDifference
  /// Whether sections came, went, or have other parts of the list.
  public let sectionsChanged: Bool
  /// Why the results could not be fetched: they are the last good ones then, and nothing is different.
  public let error: StoreError?
  /// Whether the reader has had all updates before; else the difference is not to what it knows.
  public private(set) var isComplete: Bool

  init(
    number: Int, difference: ResultsDifference, sectionsChanged: Bool, error: StoreError?,
    isComplete: Bool
  ) {
    self.number = number
    self.difference = difference
    self.sectionsChanged = sectionsChanged
    self.error = error
    self.isComplete = isComplete
  }

  fileprivate var incomplete: ResultsUpdate {
    var copy = self
    copy.isComplete = false
    return copy
  }
}
