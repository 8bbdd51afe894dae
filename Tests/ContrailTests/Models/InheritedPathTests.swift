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
  #Index<Hound>([\.name], [\.breed, \.keepings])
  #Unique<Hound>([\.name, \.breed])

  var breed: String = ""

  override init(_ name: String, _ temper: Temper, den: Den) {
    super.init(name, temper, den: den)
  }

  override class var naturalKey: [AnyKeyPath] { [\Hound.name] }
  override class var versionField: AnyKeyPath? { \Hound.keepings }
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

  @Test func `indexes, constraints, inverses and keys may name them`() throws {
    let schema = Schema([Hound.self])
    let hound = try #require(schema.entity(for: Hound.self))
    #expect(hound.indices.sorted { $0.count < $1.count } == [["name"], ["breed", "keepings"]])
    #expect(hound.uniquenessConstraints == [["name", "breed"]])
    #expect(hound.relationshipsByName["keeper"]?.inverseName == "hounds")
    let kept = try filled()
    let again = Hound("Rex", .calm, den: Den(town: "Rextown", temper: .wild))
    kept.context.insert(again)
    try kept.context.save()
    #expect(try kept.all(Hound.self).count == 3)
  }
}
