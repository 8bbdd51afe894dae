import DataModel
import Foundation
import PredicateSQL
import SchemaGenerator
import Testing

@testable import ObjectStore

/// What live results show is held against a plain fetch after every step, and the differences are applied
/// to a list of their own.
@Suite struct LiveRandomTests {
  @Test(arguments: UInt64(1)...12)
  func `live results are what a fetch finds, and differences lead from one to the next`(
    seed: UInt64
  ) throws {
    var run = try Run(seed)
    for step in 0..<250 {
      let what = try run.step()
      try run.check("seed \(seed), step \(step): \(what)")
    }
    #expect(run.watched.allSatisfy { $0.updates > 20 })
  }

  @Test(arguments: UInt64(1)...40)
  func `a difference makes the newer list of the older one, moving as little as it can`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let store = UUID()
    func identity(_ key: Int64) -> ObjectIdentity {
      ObjectIdentity(store: store, entity: "Pilot", key: key)
    }
    let old = (1...Int64(1 + random.below(30))).shuffled(using: &random)
    var new = old.filter { _ in !random.oneIn(4) }
    for _ in 0..<random.below(4) where new.count > 1 {
      new.insert(new.remove(at: random.below(new.count)), at: random.below(new.count))
    }
    for key in 0..<Int64(random.below(6)) {
      new.insert(100 + key, at: random.below(new.count + 1))
    }
    let keys = KeyDifference(old, new)
    var difference = ResultsDifference()
    difference.inserted = keys.inserted.map { .init(identity(new[$0]), at: $0) }
    difference.removed = keys.removed.map { .init(identity(old[$0]), at: $0) }
    difference.moved = keys.moved.map { .init(identity(new[$0.to]), from: $0.from, to: $0.to) }
    #expect(difference.applied(to: old.map(identity)) == new.map(identity))
    #expect(keys.moved.count <= 3)
    #expect(Set(keys.removed.map { old[$0] }) == Set(old).subtracting(new))
  }
}

/// A context with observers, another context, and what happens to them.
private struct Run {
  let context: ModelContext
  let other: ModelContext
  var random: SeededGenerator
  var watched: [Watched] = []
  var names = 0

  /// An observer with a list that only its differences have made.
  final class Watched {
    let observer: ResultsObserver<ManagedObject, FieldValue>
    var list: [ObjectIdentity]
    var updates = 0
    var failures: [String] = []

    init(_ observer: ResultsObserver<ManagedObject, FieldValue>) {
      self.observer = observer
      list = observer.identities
      observer.onUpdate = { [unowned self] update in
        if update.difference.isEmpty && !update.sectionsChanged { failures.append("nothing told") }
        list = update.difference.applied(to: list)
        updates += 1
      }
    }
  }

  init(_ seed: UInt64) throws {
    let store = try Store(at: .memory, schema: Club.schema)
    context = ModelContext(store, isolation: nil)
    other = ModelContext(store, isolation: nil)
    context.mergePolicy = .mergeByPropertyObjectTrump
    other.mergePolicy = .mergeByPropertyStoreTrump
    random = SeededGenerator(seed: seed)
    let byHours = FetchRequest(
      "Pilot", where: .hours(.greater, 3),
      sort: [QuerySort(.property("hours"), isAscending: false)])
    var limited = FetchRequest("Pilot", sort: [QuerySort(.property("name"))])
    limited.offset = 2
    limited.limit = 6
    var saved = byHours
    saved.includesPendingChanges = false
    let flights = FetchRequest(
      "Flight", where: .compare(.greater, .property("pilot.hours"), .literal(.integer(4))),
      sort: [QuerySort(.property("pilot.name"))])
    for (request, section) in [
      (byHours, nil), (byHours, .property("hours")), (limited, nil), (saved, nil),
      (flights, .property("name")),
      (limited, .computed { (try? $0.value("hours")) ?? .null }),
    ] as [(FetchRequest, SectionKey<ManagedObject, FieldValue>?)] {
      watched.append(
        Watched(try ResultsObserver(request, sectionBy: section, context: context)))
    }
  }

  mutating func step() throws -> String {
    let isOwn = !random.oneIn(3)
    let place = isOwn ? context : other
    let pilots = try place.fetch(FetchRequest("Pilot"))
    defer { if !isOwn { try? other.save() } }
    switch random.below(isOwn ? 10 : 6) {
    case 0, 1:
      names += 1
      let pilot = try place.pilot("P\(random.below(50))-\(names)", Int64(random.below(9)))
      try place.make("Flight", "F\(random.below(4))").setRelated("pilot", pilot)
      return "insert"
    case 2, 3:
      guard !pilots.isEmpty else { return "nothing" }
      try pilots[random.below(pilots.count)].setValue("hours", .integer(Int64(random.below(9))))
      return "hours"
    case 4:
      guard !pilots.isEmpty else { return "nothing" }
      names += 1
      try pilots[random.below(pilots.count)].setValue(
        "name", .string("P\(random.below(50))-\(names)"))
      return "name"
    case 5:
      guard pilots.count > 6 else { return "nothing" }
      try place.delete(pilots[random.below(pilots.count)])
      return "delete"
    case 6, 7:
      try context.save()
      return "save"
    case 8:
      if random.oneIn(3) { context.rollback() }
      return "rollback"
    default:
      watched[0].observer.filterBy = .hours(.greater, Int64(random.below(6)))
      watched[2].observer.sortBy = [
        QuerySort(.property(random.oneIn(2) ? "name" : "hours"), isAscending: random.oneIn(2))
      ]
      return "configure"
    }
  }

  func check(_ what: String) throws {
    for (number, watched) in watched.enumerated() {
      let observer = watched.observer
      var request = observer.request
      if number == 1 { request.sort.insert(QuerySort(.property("hours")), at: 0) }
      if number == 1 { request.sort = observer.request.sort }
      if number == 4 { request.sort.insert(QuerySort(.property("name")), at: 0) }
      var expected = try context.fetch(request)
      if number == 5 {
        var order: [FieldValue] = []
        for object in expected where !order.contains(try object.value("hours")) {
          order.append(try object.value("hours"))
        }
        expected = try order.flatMap { title in
          try expected.filter { try $0.value("hours") == title }
        }
      }
      let found = Array(observer.results)
      expectSame(
        found.map(\.name), expected.map(\.name), "\(what), observer \(number)")
      #expect(found.map(\.queryIdentity) == expected.map(\.queryIdentity), "\(what), \(number)")
      #expect(zip(found, expected).allSatisfy { $0 === $1 }, "\(what), \(number)")
      #expect(watched.list == observer.identities, "\(what), observer \(number)")
      #expect(watched.failures == [], "\(what), observer \(number)")
      if let sections = observer.sections {
        let titles = sections.map(\.title)
        #expect(Set(titles).count == titles.count, "\(what), \(number)")
        #expect(sections.flatMap { $0.map(\.name) } == found.map(\.name), "\(what), \(number)")
        for section in sections {
          let property = number == 4 ? "name" : "hours"
          #expect(
            try section.allSatisfy { try $0.value(property) == section.title }, "\(what), \(number)"
          )
        }
      }
    }
  }
}
