import Contrail
import Testing

enum Temper: String, Codable { case calm, wild, shy }

enum Age: Int, Codable, CaseIterable { case young = 1, old = 2 }

struct Den: Codable, Equatable {
  var town: String
  var temper: Temper
  var size: Int?
}

/// Properties of kinds that not every made-up value is one of.
@Model class Beast {
  var name: String = ""
  var temper: Temper = Temper.calm
  var age: Age?
  var den: Den
  var walks: [String] = []
  var keepings = 0
  var keeper: Keeper?

  init(_ name: String, _ temper: Temper, den: Den) {
    self.name = name
    self.temper = temper
    self.den = den
  }

  class var naturalKey: [AnyKeyPath] { [] }
  class var versionField: AnyKeyPath? { nil }
}

/// Lists and keys over what the class inherits.
@Model final class Hound: Beast {
  #Index<Hound>([\.name], [\.temper, \.breed])
  #Unique<Hound>([\.name, \.den])

  var breed: String = ""

  override init(_ name: String, _ temper: Temper, den: Den) {
    super.init(name, temper, den: den)
  }

  override class var naturalKey: [AnyKeyPath] { [\Hound.name] }
  override class var versionField: AnyKeyPath? { \Hound.keepings }

  /// What is nearly a property.
  var shownTemper: Temper { temper == .shy ? .calm : temper }
  var shownAge: Age? { age ?? .old }
  var shownDen: Den { Den(town: den.town, temper: .calm, size: den.size) }
}

@Model final class Keeper {
  var name: String
  @Relationship(inverse: \Hound.keeper) var hounds: [Beast] = []

  init(_ name: String) { self.name = name }
}

@Suite("What a subclass says of inherited properties")
struct InheritedPathTests {
  private func filled() throws -> Kept {
    try Kept(Hound.self) { context in
      for (name, temper) in [("Rex", Temper.wild), ("Bello", .shy), ("Cora", .calm)] {
        context.insert(Hound(name, temper, den: Den(town: "\(name)town", temper: temper)))
      }
    }
  }

  private func names(_ kept: Kept, _ predicate: Predicate<Hound>) throws -> [String] {
    try kept.context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
  }

  @Test func `indexes, constraints, inverses and keys may name them`() throws {
    let schema = Schema([Hound.self])
    let hound = try #require(schema.entity(for: Hound.self))
    #expect(hound.indices.sorted { $0.count < $1.count } == [["name"], ["temper", "breed"]])
    #expect(hound.uniquenessConstraints == [["name", "den"]])
    #expect(hound.relationshipsByName["keeper"]?.inverseName == "hounds")
    let kept = try filled()
    let again = Hound("Rex", .calm, den: Den(town: "Rextown", temper: .wild))
    kept.context.insert(again)
    try kept.context.save()
    #expect(try kept.all(Hound.self).count == 3)
  }

  @Test func `predicates and batches reach inherited enumerations`() throws {
    let kept = try filled()
    let shy = Temper.shy
    #expect(try names(kept, #Predicate { $0.temper == shy }) == ["Bello"])
    try kept.context.updateBatch(
      Hound.self, where: #Predicate { $0.temper == shy }, set: \.age, to: .old)
    let old: Age? = .old
    #expect(try names(kept, #Predicate { $0.age == old }) == ["Bello"])
    let calm = Temper.calm
    try kept.context.delete(model: Hound.self, where: #Predicate { $0.temper == calm })
    try kept.context.save()
    #expect(try kept.all(Hound.self).map(\.name).sorted() == ["Bello", "Rex"])
  }

  @Test func `parts of inherited structures are asked of the store`() throws {
    let kept = try filled()
    let wild = Temper.wild
    try kept.context.delete(model: Hound.self, where: #Predicate { $0.den.town == "Coratown" })
    try kept.context.delete(model: Hound.self, where: #Predicate { $0.den.temper == wild })
    try kept.context.save()
    #expect(try kept.all(Hound.self).map(\.name) == ["Bello"])
  }

  @Test func `values of every kind are fetched alone`() throws {
    let kept = try filled()
    var descriptor = FetchDescriptor<Hound>(sortBy: [SortDescriptor(\.name)])
    descriptor.propertiesToFetch = [\.temper, \.age, \.den, \.walks, \.keeper]
    #expect(try kept.context.fetch(descriptor).map(\.temper) == [.shy, .calm, .wild])
    let rows = try kept.context.fetchDictionaries(descriptor, properties: [\.temper])
    #expect(rows.map { $0["temper"] as? String } == ["shy", "calm", "wild"])
  }

  @Test func `what only looks like an inherited property is none`() throws {
    let kept = try filled()
    #expect(throws: StoreError.self) {
      try kept.context.updateBatch(Hound.self, set: \.shownTemper, to: .calm)
    }
    #expect(throws: StoreError.self) {
      try kept.context.updateBatch(Hound.self, set: \.shownAge, to: .young)
    }
    var descriptor = FetchDescriptor<Hound>()
    descriptor.propertiesToFetch = [\.shownDen]
    #expect(throws: StoreError.self) { try kept.context.fetch(descriptor) }
    let calm = Temper.calm
    #expect(try names(kept, #Predicate { $0.shownTemper == calm }) == ["Bello", "Cora"])
  }
}
