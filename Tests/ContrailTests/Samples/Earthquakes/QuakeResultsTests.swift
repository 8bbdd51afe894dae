import Contrail
import Testing

/// What the menu of a list of quakes offers.
private let orders: [(name: String, order: [SortDescriptor<Quake>])] = [
  ("newest first", [SortDescriptor(\.time, order: .reverse)]),
  ("strongest first", [SortDescriptor(\.magnitude, order: .reverse)]),
]

@Suite("Earthquakes: results that live")
@MainActor
struct QuakeResultsTests {
  /// A place for a container that is made late.
  @MainActor private final class App {
    var container: ModelContainer?
    var asked = 0

    struct NotReady: Error {}

    func context() throws -> ModelContext {
      asked += 1
      guard let container else { throw NotReady() }
      return container.mainContext
    }
  }

  private func codes(_ observer: ResultsObserver<Quake, Never>) -> String {
    observer.results.map(\.code).joined()
  }

  @Test func `an observer may be made before its container, and fetches once there is one`() throws
  {
    let app = App()
    let observer = try ResultsObserver<Quake, Never>(
      fetchDescriptor: FetchDescriptor(sortBy: [SortDescriptor(\.code)]),
      late: { try app.context() })
    #expect(app.asked == 0)
    #expect(observer.results.isEmpty)
    #expect(observer.fetchError != nil)
    #expect(observer.modelContext == nil)
    app.container = try quakes(week)
    observer.refetch()
    #expect(codes(observer) == "abcde")
    #expect(observer.fetchError == nil)
    #expect(observer.modelContext === app.container?.mainContext)
  }

  @Test func `the predicate and the order are set while results live`() throws {
    let container = try quakes(week)
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.code)], modelContext: container.mainContext)
    #expect(codes(observer) == "abcde")
    observer.filterBy = #Predicate { $0.magnitude >= 5 }
    #expect(codes(observer) == "bce")
    observer.sortBy = [SortDescriptor(\.magnitude)]
    #expect(codes(observer) == "ceb")
    observer.filterBy = nil
    #expect(codes(observer) == "adceb")
  }

  @Test func `a menu of orders, each a name and its descriptors, sorts a living list`() throws {
    let container = try quakes(week)
    let observer = try ResultsObserver(
      sortBy: orders[0].order, modelContext: container.mainContext)
    #expect(codes(observer) == "edcba")
    observer.sortBy = try #require(orders.first { $0.name == "strongest first" }).order
    #expect(codes(observer) == "becda")
  }

  @Test
  func `typing narrows the list to places that contain the text, whatever its case and accents`()
    throws
  {
    let container = try quakes(week)
    let context = container.mainContext
    context.insert(
      Quake(code: "f", magnitude: 1, place: "East Sándwich", time: .at(day: 6)))
    let observer = try ResultsObserver(sortBy: [SortDescriptor(\Quake.code)], modelContext: context)
    func type(_ text: String) {
      observer.filterBy =
        text.isEmpty ? nil : #Predicate { $0.place.localizedStandardContains(text) }
    }
    type("sandwich")
    #expect(codes(observer) == "adf")
    type("SANDWICH B")
    #expect(codes(observer) == "d")
    type("")
    #expect(codes(observer) == "abcdef")
  }

  @Test func `what is asked for is one value, to be read, changed and set`() throws {
    let container = try quakes(week)
    let observer = try ResultsObserver(
      filterBy: #Predicate<Quake> { $0.magnitude < 6 }, sortBy: [SortDescriptor(\Quake.code)],
      modelContext: container.mainContext)
    var configuration = observer.configuration
    configuration.sortBy = [SortDescriptor(\.code, order: .reverse)]
    #expect(codes(observer) == "acd")
    observer.configuration = configuration
    #expect(codes(observer) == "dca")
    configuration.predicate = nil
    observer.configuration = configuration
    #expect(codes(observer) == "edcba")
    #expect(observer.fetchDescriptor.predicate == nil)
    #expect(observer.fetchDescriptor.sortBy == configuration.sortBy)
  }

  @Test func `what the store cannot be asked is evaluated for each model`() throws {
    let container = try quakes(week)
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.code)], modelContext: container.mainContext)
    let day = Date.at(day: 0)
    observer.filterBy = #Predicate { $0.day == day }
    #expect(codes(observer) == "ab")
    #expect(observer.fetchError == nil)
  }

  @Test func `what cannot be evaluated leaves the last good results, and says why`() throws {
    let container = try quakes(week)
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.code)], modelContext: container.mainContext)
    let told = Notes()
    withObservationTracking {
      _ = observer.fetchError
    } onChange: {
      told.add("error")
    }
    let day = Date.at(day: 0)
    // No quake has a depth.
    observer.filterBy = #Predicate { $0.day == day && $0.depth! > 1 }
    #expect(codes(observer) == "abcde")
    #expect(observer.fetchError != nil)
    #expect(told.all == ["error"])
    observer.filterBy = #Predicate { $0.code == "a" }
    #expect(codes(observer) == "a")
    #expect(observer.fetchError == nil)
    // The context has nothing to complain of.
    try container.mainContext.save()
  }

  @Test func `setters are committed together when results are read`() async throws {
    let container = try quakes(week)
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.code)], modelContext: container.mainContext)
    var updates = observer.updates().makeAsyncIterator()
    observer.filterBy = #Predicate { $0.magnitude >= 6 }
    observer.sortBy = [SortDescriptor(\.magnitude)]
    #expect(codes(observer) == "eb")
    let first = await updates.next()
    #expect(first?.number == 1)
    #expect(first?.difference.removed.count == 3)
    observer.sortBy = [SortDescriptor(\.magnitude, order: .reverse)]
    #expect(codes(observer) == "be")
    #expect(await updates.next()?.number == 2)
  }
}

@Suite("Earthquakes: results in sections")
@MainActor
struct QuakeSectionTests {
  private func shown<Title>(_ observer: ResultsObserver<Quake, Title>) -> [String] {
    (observer.sections ?? nil)?.map { "\($0.title): " + $0.map(\.code).joined() } ?? ["none"]
  }

  private func shownDays(_ observer: ResultsObserver<Quake, Date>) -> [String] {
    observer.sections?.map { section in
      let day = Int(section.title.timeIntervalSince(.at(day: 0)) / 86_400)
      return "\(day): " + section.map(\.code).joined()
    } ?? ["none"]
  }

  @Test func `a key path says what makes sections, and each section is a collection of models`()
    throws
  {
    let container = try quakes(week)
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.code)], sectionBy: \Quake.place,
      modelContext: container.mainContext)
    #expect(
      shown(observer) == [
        "Mount Ember: b", "Norfold: ce", "Sandwich Bay: d", "South Sandwich: a",
      ])
    let sections = try #require(observer.sections)
    #expect(sections.count == 4)
    #expect(sections[1].id == "Norfold")
    #expect(sections[1].count == 2)
    #expect(sections[1][1].magnitude == 6)
    // The flat list is that of the sections, one after the other.
    #expect(observer.results.map(\.code) == sections.flatMap { $0.map(\.code) })
  }

  @Test func `sections are made by values of any type that is Hashable, kept or computed`() throws {
    let context = try quakes(week).mainContext
    let order = [SortDescriptor(\Quake.code)]
    let strengths = try ResultsObserver(
      sortBy: order, sectionBy: \Quake.strength, modelContext: context)
    #expect(shown(strengths) == ["light: ad", "moderate: c", "strong: be"])
    let depths = try ResultsObserver(sortBy: order, sectionBy: \Quake.depth, modelContext: context)
    #expect(shown(depths) == ["nil: abcde"])
    let halves = try ResultsObserver(
      sortBy: order, sectionBy: \Quake.isAfterNoon, modelContext: context)
    #expect(shown(halves) == ["false: abcd", "true: e"])
  }

  @Test func `quakes are listed day by day`() throws {
    let context = try quakes(week).mainContext
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.time)], sectionBy: \Quake.day, modelContext: context)
    #expect(shownDays(observer) == ["0: ab", "1: c", "2: de"])
    context.insert(Quake(code: "f", magnitude: 1, place: "", time: .at(day: 1, hour: 2)))
    context.insert(Quake(code: "g", magnitude: 1, place: "", time: .at(day: 5)))
    #expect(shownDays(observer) == ["0: ab", "1: cf", "2: de", "5: g"])
  }

  @Test func `what makes sections is set while results live`() throws {
    let container = try quakes(week)
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.code)], sectionBy: \Quake.place,
      modelContext: container.mainContext)
    observer.sectionBy = \.strength.rawValue
    #expect(shown(observer) == ["light: ad", "strong: be", "moderate: c"])
    observer.sectionBy = nil
    #expect(shown(observer) == ["none"])
    #expect(observer.results.map(\.code) == ["a", "b", "c", "d", "e"])
  }

  @Test func `an order that has nothing to do with the sections leaves each in one piece`() throws {
    let context = try quakes(week).mainContext
    // A kept property is sorted by first of all, whatever the order is.
    let kept = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.magnitude, order: .reverse)], sectionBy: \Quake.strength,
      modelContext: context)
    #expect(shown(kept) == ["light: da", "moderate: c", "strong: be"])
    // Days are not kept: those of one day are put together where the first of them is.
    let computed = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.magnitude, order: .reverse)], sectionBy: \Quake.day,
      modelContext: context)
    #expect(shownDays(computed) == ["0: ba", "2: ed", "1: c"])
  }

  @Test func `order and sections are changed at once, and nobody sees one without the other`()
    async throws
  {
    let context = try quakes(week).mainContext
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.time)], sectionBy: \Quake.day, modelContext: context)
    var updates = observer.updates().makeAsyncIterator()
    observer.update {
      $0.sortBy = [SortDescriptor(\.magnitude)]
      $0.sectionBy = \.hour
    }
    let titles = observer.sections?.map { Int($0.title.timeIntervalSince(.at(day: 0)) / 3600) }
    #expect(titles == [3, 53, 25, 68, 9])
    #expect(observer.results.map(\.code) == ["a", "d", "c", "e", "b"])
    let update = await updates.next()
    #expect(update?.number == 1)
    #expect(update?.sectionsChanged == true)
    context.insert(Quake(code: "f", magnitude: 9, place: "", time: .at(day: 6)))
    #expect(observer.results.count == 6)
    #expect(await updates.next()?.number == 2)
  }
}

extension Quake {
  /// Whether the quake was in the second half of its day.
  var isAfterNoon: Bool { time.timeIntervalSince(day) >= 43_200 }
  /// The quake's time, to the hour.
  var hour: Date {
    Date(timeIntervalSince1970: (time.timeIntervalSince1970 / 3600).rounded(.down) * 3600)
  }
}
