import Contrail
import SQLiteDriver
import Testing

struct Premises: Codable, Equatable {
  var street: String
  var town: String
  var floor: Int?
}

/// Unique by a structure, which has several columns, together with a text.
@Model final class Kiosk {
  #Unique<Kiosk>([\.name, \.premises])

  var name: String
  var premises: Premises
  var owner: String

  init(_ name: String, _ premises: Premises, owner: String = "") {
    self.name = name
    self.premises = premises
    self.owner = owner
  }
}

/// Unique by a structure alone, which may be missing.
@Model final class Stall {
  @Attribute(.unique) var premises: Premises?
  var owner: String

  init(_ premises: Premises?, owner: String) {
    self.premises = premises
    self.owner = owner
  }
}

@Model final class Engine {
  var number: Int
  var wagon: Wagon?

  init(number: Int) { self.number = number }
}

/// Unique by a one-to-one relationship, whose key the other end has: its class comes first.
@Model final class Wagon {
  #Unique<Wagon>([\.name, \.engine])

  var name: String
  @Relationship(.unique, inverse: \Engine.wagon) var engine: Engine?

  init(name: String, engine: Engine?) {
    self.name = name
    self.engine = engine
  }
}

@Suite struct UniqueShapes {
  private let aachen = Premises(street: "Markt 1", town: "Aachen", floor: nil)
  private let bonn = Premises(street: "Markt 1", town: "Bonn", floor: nil)

  @Test func `Each constraint has an index in the file, and a value that is taken no second row`()
    throws
  {
    let folder = try TemporaryFolder()
    let url = folder.file("unique.store")
    do {
      let context = ModelContext(
        try ModelContainer(
          for: Trip.self, Kiosk.self, configurations: ModelConfiguration(url: url)))
      for word in ["first", "second"] {
        context.insert(Trip(name: "Rome", destination: word))
        context.insert(Kiosk("Aldi", aachen, owner: word))
        try context.save()
      }
    }
    let connection = try Connection(.file(url.path), mode: .readOnly)
    func texts(_ sql: String) throws -> [String] {
      let statement = try connection.prepare(sql)
      var texts: [String] = []
      while try statement.step() { texts.append(statement.text(0)) }
      return texts
    }
    // Not UNIQUE in SQL, so that values may swap within a save: whoever writes asks the indexes.
    #expect(
      try texts(
        """
        SELECT t.name || '.' || c.name || ' ' || i."unique" FROM sqlite_master AS t, \
        pragma_index_list(t.name) AS i, pragma_index_info(i.name) AS c \
        WHERE t.name IN ('Trip', 'Kiosk') AND i.name GLOB '*_unique' ORDER BY 1
        """) == [
          "Kiosk.name 0", "Kiosk.premises_floor 0", "Kiosk.premises_street 0",
          "Kiosk.premises_town 0", "Trip.name 0",
        ])
    let plan = try connection.queryPlan(of: "SELECT _id FROM Trip WHERE name = 'Rome'")
    #expect(plan == ["SEARCH Trip USING COVERING INDEX Trip_name_unique (name=?)"])
    #expect(try texts("SELECT destination FROM Trip") == ["second"])
    #expect(try texts("SELECT owner FROM Kiosk") == ["second"])
  }

  @Test func `All parts of a structure count in a constraint, so namesakes elsewhere are others`()
    throws
  {
    let kept = try Kept(Kiosk.self) { context in
      context.insert(Kiosk("Aldi", aachen))
      try context.save()
      context.insert(Kiosk("Aldi", bonn))
      context.insert(Kiosk("Aldi", aachen, owner: "Ann"))
    }
    let found = try kept.all(Kiosk.self).sorted { $0.premises.town < $1.premises.town }
    #expect(found.map(\.premises) == [aachen, bonn])
    #expect(found.map(\.owner) == ["Ann", ""])
  }

  @Test func `A structure is equal to one that lacks the same parts, and a missing one to none`()
    throws
  {
    let upstairs = Premises(street: "Markt 1", town: "Aachen", floor: 1)
    let kept = try Kept(Stall.self) { context in
      context.insert(Stall(aachen, owner: "Ann"))
      context.insert(Stall(upstairs, owner: "Bea"))
      context.insert(Stall(nil, owner: "Cem"))
      try context.save()
      context.insert(Stall(aachen, owner: "Dora"))
      context.insert(Stall(nil, owner: "Emil"))
    }
    #expect(try kept.all(Stall.self).map(\.owner).sorted() == ["Bea", "Cem", "Dora", "Emil"])
  }

  @Test func `A structure that is taken is refused where a context is to be strict`() throws {
    let kept = try Kept(Stall.self) { context in context.insert(Stall(aachen, owner: "Ann")) }
    kept.context.uniquePolicy = .strict
    let second = Stall(aachen, owner: "Bea")
    kept.context.insert(second)
    let error = #expect(throws: StoreError.self) { try kept.context.save() }
    #expect(error?.code == .notUnique)
    #expect(error?.message.contains("premises.town \"Aachen\"") == true)
    second.premises = bonn
    try kept.context.save()
    second.premises?.town = "Aachen"
    #expect(throws: StoreError.self) { try kept.context.save() }
  }

  @Test func `A one-to-one relationship that is unique needs no column of its own`() throws {
    let kept = try Kept(Wagon.self) { context in
      let engine = Engine(number: 1)
      context.insert(Wagon(name: "a", engine: engine))
      context.insert(Wagon(name: "a", engine: Engine(number: 2)))
      context.insert(Wagon(name: "b", engine: nil))
      try context.save()
      context.insert(Wagon(name: "c", engine: engine))
    }
    let found = try kept.all(Wagon.self).sorted { $0.name < $1.name }
    #expect(found.map(\.name) == ["a", "a", "b", "c"])
    #expect(Set(found.map { $0.engine?.number }) == [nil, 1, 2])
    #expect(found.last?.engine?.number == 1)
  }
}
