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

@Model class Boat {
  var name: String
  var owner: Mate?

  init(name: String) { self.name = name }
}

/// Led by somebody whose boats are others.
@Model final class Tug: Boat {
  var pilot: Mate?

  override init(name: String) { super.init(name: name) }
}

@Model final class Mate {
  var name: String
  var boats: [Boat] = []

  init(_ name: String) { self.name = name }
}

@Model final class Letter {
  var text: String
  @Relationship(inverse: nil) var writer: Reader?

  init(_ text: String) { self.text = text }
}

@Model final class Reader {
  var name: String
  var letters: [Letter] = []

  init(_ name: String) { self.name = name }
}

@Model class Plant {
  var name: String
  var keeper: Gardener?
  var picker: Florist?

  init(_ name: String) { self.name = name }
}

@Model final class Rose: Plant {
  override init(_ name: String) { super.init(name) }
}

/// Holds some of what may lead to it only.
@Model final class Gardener {
  var name: String
  var roses: [Rose] = []

  init(_ name: String) { self.name = name }
}

/// Says so, too.
@Model final class Florist {
  var name: String
  @Relationship(inverse: \Rose.picker) var roses: [Rose] = []

  init(_ name: String) { self.name = name }
}

/// Leads to a class in two ways, and back in one that nobody names.
@Model final class Match {
  var home: Team?
  var guest: Team?

  init() {}
}

@Model final class Team {
  var matches: [Match] = []

  init() {}
}

/// Names what is no relationship as its inverse.
@Model final class Binder {
  @Relationship(inverse: \Leaf.text) var leaves: [Leaf] = []

  init() {}
}

@Model final class Leaf {
  var text = ""

  init() {}
}

/// Has two relationships that name one inverse.
@Model final class Club {
  @Relationship(inverse: \Fellow.club) var board: [Fellow] = []
  @Relationship(inverse: \Fellow.club) var fellows: [Fellow] = []

  init() {}
}

@Model final class Fellow {
  var club: Club?

  init() {}
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

  @Test func `what leads back to another relationship is no inverse`() throws {
    #expect(try inverses(Mate.self) == ["boats owner"])
    let schema = Schema([Tug.self, Mate.self])
    let tug = try #require(schema.entity(for: Tug.self))
    #expect(tug.relationshipsByName["pilot"]?.inverseName == nil)
    #expect(tug.relationshipsByName["owner"]?.inverseName == "boats")
    let kept = try Kept(Tug.self) { context in
      let (tug, ann, bob) = (Tug(name: "t"), Mate("Ann"), Mate("Bob"))
      context.insert(tug)
      tug.owner = ann
      tug.pilot = bob
    }
    let found = try kept.one(Tug.self)
    #expect(found.owner?.boats == [found])
    #expect(found.pilot?.name == "Bob" && found.pilot?.boats == [])
  }

  @Test func `a list of a subclass is no inverse of what the superclass declares`() throws {
    #expect(try inverses(Gardener.self) == ["roses -"])
    let error = #expect(throws: StoreError.self) { try memory(Florist.self) }
    #expect(
      error?.description
        == "Florist.roses: holds Rose, and its inverse Plant.picker leads from Plant to Florist "
        + "[invalidSchema]; name a relationship that Rose declares itself, to Florist")
  }

  @Test func `a relationship that is said to have no inverse has none`() throws {
    #expect(try inverses(Letter.self) == ["writer -"])
    #expect(try inverses(Reader.self) == ["letters -"])
  }

  /// What is said where a container is made for a class.
  private func refusal(of type: any PersistentModel.Type) -> String? {
    #expect(throws: StoreError.self) { try memory(type) }?.description
  }

  @Test func `of several relationships that may lead back one has to be named`() throws {
    #expect(
      refusal(of: Match.self)
        == "Team.matches: may have several inverses: Match.guest and Match.home [invalidSchema]; "
        + "say which: @Relationship(inverse: \\Match.guest)")
  }

  @Test func `an inverse that is no relationship is refused`() throws {
    #expect(
      refusal(of: Binder.self)
        == "Binder.leaves: has an inverse that is no relationship of Leaf [invalidSchema]; "
        + "name a property of Leaf whose type is Binder")
  }

  @Test func `two relationships cannot have one inverse`() throws {
    #expect(
      refusal(of: Club.self)
        == "Fellow.club: is the inverse of both Club.board and Club.fellows [invalidSchema]; "
        + "give each of them an inverse of its own")
  }
}
