import Contrail
import Testing

/// Relationships to one within one class, of which neither is the other's end.
@Model final class Horse {
  var name: String
  var mother: Horse?
  var father: Horse?

  init(_ name: String) { self.name = name }
}

/// Relationships to many within one class, of which neither is the other's end.
@Model final class Neighbour {
  var name: String
  var friends: [Neighbour] = []
  var rivals: [Neighbour] = []

  init(_ name: String) { self.name = name }
}

/// A tree, whose ends nobody names.
@Model final class Folder {
  var name: String
  var parent: Folder?
  var children: [Folder] = []

  init(_ name: String) { self.name = name }
}

@Suite("Inverses")
struct InverseTests {
  private func inverses<Model: PersistentModel>(_ type: Model.Type) throws -> [String] {
    let entity = try #require(Schema([type]).entity(for: type))
    return entity.relationships.map { "\($0.name) \($0.inverseName ?? "-")" }.sorted()
  }

  @Test func `two relationships to one, or two to many, of a class are not each other's`() throws {
    #expect(try inverses(Horse.self) == ["father -", "mother -"])
    #expect(try inverses(Neighbour.self) == ["friends -", "rivals -"])
    let kept = try Kept(Horse.self, Neighbour.self) { context in
      let foal = Horse("foal")
      context.insert(foal)
      foal.mother = Horse("Eve")
      let ann = Neighbour("Ann")
      context.insert(ann)
      ann.friends = [Neighbour("Bob"), Neighbour("Cem")]
    }
    let horses = try kept.all(Horse.self).sorted { $0.name < $1.name }
    #expect(horses.map { $0.mother?.name } == [nil, "Eve"])
    #expect(horses.map { $0.father?.name } == [nil, nil])
    let neighbours = try kept.all(Neighbour.self).sorted { $0.name < $1.name }
    #expect(neighbours.map { $0.friends.map(\.name).sorted() } == [["Bob", "Cem"], [], []])
    #expect(neighbours.map(\.rivals.count) == [0, 0, 0])
  }

  @Test func `one to one and one to many of a class are the ends of a tree`() throws {
    #expect(try inverses(Folder.self) == ["children parent", "parent children"])
  }
}
