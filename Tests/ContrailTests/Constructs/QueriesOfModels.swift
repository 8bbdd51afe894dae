import Contrail
import Foundation
import Testing

@Model final class Voyage {
  @Attribute(.unique) var name: String
  var port: String?
  var miles: Int
  var sailed: Date
  @Relationship(deleteRule: .cascade, inverse: \Sailor.voyage) var crew: [Sailor] = []

  init(
    name: String, port: String? = nil, miles: Int, sailed: Date = .distantPast, crew: [String] = []
  ) {
    self.name = name
    self.port = port
    self.miles = miles
    self.sailed = sailed
    self.crew = crew.map { Sailor(name: $0) }
  }
}

@Model final class Sailor {
  var name: String
  var voyage: Voyage?

  init(name: String) { self.name = name }
}

/// Queries that a model has as members.
extension Voyage {
  static func longer(than miles: Int) -> Predicate<Voyage> {
    #Predicate<Voyage> { $0.miles > miles && $0.port != nil }
  }

  static var byLength: FetchDescriptor<Voyage> {
    FetchDescriptor(sortBy: [
      SortDescriptor(\.miles, order: .reverse), SortDescriptor(\Voyage.name),
    ])
  }

  static func named(_ name: String, in context: ModelContext) throws -> Voyage? {
    var wanted = FetchDescriptor<Voyage>(predicate: #Predicate { voyage in voyage.name == name })
    wanted.fetchLimit = 1
    return try context.fetch(wanted).first
  }
}

/// What a program adds to every model.
extension PersistentModel {
  static func everyOne() -> FetchDescriptor<Self> { FetchDescriptor<Self>() }
}

extension ModelContext {
  func only<T: PersistentModel>(_ type: T.Type, where predicate: Predicate<T>? = nil) throws -> [T]
  {
    try fetch(FetchDescriptor(predicate: predicate))
  }

  func existing<T>(for id: PersistentIdentifier) throws -> T? where T: PersistentModel {
    if let known: T = registeredModel(for: id) { return known }
    return try fetch(FetchDescriptor<T>(predicate: #Predicate { $0.persistentModelID == id })).first
  }
}

@Suite struct QueriesOfModels {
  func sea() throws -> Kept {
    try Kept(Voyage.self, Sailor.self) { context in
      context.insert(Voyage(name: "Short", port: "Hull", miles: 10, crew: ["Ann", "Bo"]))
      context.insert(Voyage(name: "Long", port: "Bergen", miles: 900, crew: ["Cy"]))
      context.insert(Voyage(name: "Adrift", miles: 500))
    }
  }

  @Test func `Predicates and descriptors that are members of a model find its objects`() throws {
    let kept = try sea()
    #expect(
      try kept.context.only(Voyage.self, where: Voyage.longer(than: 100)).map(\.name) == ["Long"])
    #expect(try kept.context.fetch(Voyage.byLength).map(\.name) == ["Long", "Adrift", "Short"])
    #expect(try Voyage.named("Adrift", in: kept.context)?.miles == 500)
    #expect(try Voyage.named("Nowhere", in: kept.context) == nil)
    #expect(try kept.context.fetchCount(Sailor.everyOne()) == 3)
  }

  @Test func `Predicates go through relationships and optionals`() throws {
    let context = try sea().context
    let name = "Bo"
    let port = "berg"
    func names(_ predicate: Predicate<Voyage>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
    }
    #expect(try names(#Predicate { $0.crew.contains { $0.name == name } }) == ["Short"])
    #expect(try names(#Predicate { $0.crew.isEmpty }) == ["Adrift"])
    #expect(try names(#Predicate { $0.crew.count > 1 || $0.miles == 500 }) == ["Adrift", "Short"])
    #expect(try names(#Predicate { $0.port?.localizedStandardContains(port) ?? false }) == ["Long"])
    #expect(try names(#Predicate { !($0.port == nil) && $0.name.starts(with: "S") }) == ["Short"])
    let chosen = ["Long", "Adrift"]
    #expect(try names(#Predicate { chosen.contains($0.name) }) == ["Adrift", "Long"])
    #expect(
      try context.fetch(
        FetchDescriptor<Sailor>(predicate: #Predicate { $0.voyage?.name == "Long" })
      ).map(\.name) == ["Cy"])
  }

  @Test func `An identifier finds its object in another context`() throws {
    let kept = try sea()
    let id = try #require(try Voyage.named("Short", in: kept.context)).persistentModelID
    let other = ModelContext(kept.container)
    #expect(try (other.existing(for: id) as Voyage?)?.name == "Short")
    #expect((other.model(for: id) as? Voyage)?.crew.count == 2)
  }

  @Test func `Deleting by a predicate takes what is related along`() throws {
    let kept = try sea()
    try kept.context.delete(model: Voyage.self, where: #Predicate { $0.miles < 600 })
    try kept.context.save()
    #expect(try kept.all(Voyage.self).map(\.name) == ["Long"])
    #expect(try kept.all(Sailor.self).map(\.name) == ["Cy"])
  }
}
