import DataModel
import Foundation
import Testing

@testable import ObjectStore

@Suite struct UndoTests {
  let folder: TestFolder
  let store: Store
  let context: ModelContext
  let log = UndoLog()

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
    let maker = ModelContext(store, isolation: nil)
    let ann = try maker.make("Pilot", "Ann")
    let ben = try maker.make("Pilot", "Ben")
    try maker.make("Licence", "L1").setRelated("pilot", ann)
    try maker.make("Licence", "L2").setRelated("pilot", ben)
    var flights: [ManagedObject] = []
    for name in ["Paris", "Rome", "Oslo", "Lyon"] {
      flights.append(try maker.make("Flight", name))
    }
    try ann.setRelated("flights", Array(flights.prefix(3)))
    try ben.setRelated("flights", [flights[3]])
    let night = try maker.make("Tag", "night")
    try night.setRelated("flights", [flights[0], flights[3]])
    try maker.make("Tag", "long").setRelated("flights", [flights[0]])
    try ann.addRelated("friends", ben)
    let ratings = try ["VFR", "IFR", "SEP"].map { try maker.make("Rating", $0) }
    try ann.setRelated("ratings", ratings)
    try ben.setRelated("ratings", [ratings[1]])
    try maker.save()
    context = ModelContext(store, isolation: nil)
    context.undoLog = log
  }

  /// Every kind of change there is, by name.
  static let changes: [(name: String, change: @Sendable (ModelContext) throws -> Void)] = [
    ("a value", { try $0.find("Pilot", "Ann").setValue("hours", .integer(5)) }),
    (
      "a value twice",
      { context in
        let ann = try context.find("Pilot", "Ann")
        try ann.setValue("hours", .integer(5))
        try ann.setValue("hours", .integer(6))
        try ann.setValue("name", .null)
        try ann.setValue("name", .string("Anna"))
      }
    ),
    (
      "a to-one relationship",
      { try $0.find("Flight", "Rome").setRelated("pilot", $0.find("Pilot", "Ben")) }
    ),
    (
      "a to-one relationship to nothing", { try $0.find("Flight", "Rome").setRelated("pilot", nil) }
    ),
    (
      "a to-many relationship",
      { try $0.find("Pilot", "Ben").setRelated("flights", $0.living("Flight")) }
    ),
    (
      "the order of a to-many relationship",
      { context in
        let ann = try context.find("Pilot", "Ann")
        try ann.setRelated("flights", ann.relatedObjects("flights").reversed())
      }
    ),
    (
      "the order of pairs",
      { context in
        let ann = try context.find("Pilot", "Ann")
        try ann.setRelated("ratings", ann.relatedObjects("ratings").reversed())
      }
    ),
    (
      "pairs",
      { context in
        let paris = try context.find("Flight", "Paris")
        try paris.removeRelated("tags", context.find("Tag", "night"))
        try context.find("Tag", "long").setRelated("flights", context.living("Flight"))
        try context.find("Rating", "SEP").addRelated("pilots", context.find("Pilot", "Ben"))
      }
    ),
    (
      "a one-to-one relationship that is taken from another",
      { try $0.find("Pilot", "Ann").setRelated("licence", $0.find("Licence", "L2")) }
    ),
    (
      "an insertion with relationships",
      { context in
        let cid = try context.make("Pilot", "Cid")
        try cid.setRelated("licence", context.find("Licence", "L1"))
        try cid.setRelated(
          "flights", [context.find("Flight", "Oslo"), context.make("Flight", "Bern")])
        try cid.setRelated("ratings", context.living("Rating"))
        try context.make("Tag", "new").setRelated("flights", cid.relatedObjects("flights"))
      }
    ),
    (
      "a relationship that is its own inverse",
      { context in
        let ann = try context.find("Pilot", "Ann")
        try ann.removeRelated("friends", context.find("Pilot", "Ben"))
        try ann.setRelated("friends", [context.make("Pilot", "Dan"), ann])
      }
    ),
    ("a deletion", { try $0.delete($0.find("Tag", "night")) }),
    ("a deletion that cascades", { try $0.delete($0.find("Pilot", "Ann")) }),
    (
      "an insertion that is deleted again",
      { context in
        let flight = try context.make("Flight", "Nowhere")
        try flight.setRelated("pilot", context.find("Pilot", "Ann"))
        try context.delete(flight)
      }
    ),
    (
      "changes and then a deletion",
      { context in
        let ann = try context.find("Pilot", "Ann")
        try ann.setValue("hours", .integer(77))
        try ann.setRelated("flights", [context.find("Flight", "Lyon")])
        try context.delete(ann)
      }
    ),
    (
      "everything deleted",
      { context in
        for entity in context.store.layout.entities {
          for object in try context.all(entity.name) where object.isUsable {
            try context.delete(object)
          }
        }
      }
    ),
  ]

  private func saved() throws -> [String] { try ModelContext(store, isolation: nil).shown() }

  @Test(arguments: UndoTests.changes.map(\.name))
  func `is undone and redone before a save`(name: String) throws {
    let change = try #require(Self.changes.first { $0.name == name }?.change)
    let before = try context.shown()
    try change(context)
    let after = try context.shown()
    for _ in 0..<2 {
      #expect(try log.undo())
      try expectSame(context.shown(), before)
      #expect(try log.redo())
      try expectSame(context.shown(), after)
    }
    try context.save()
    try expectSame(saved(), after)
  }

  @Test(arguments: UndoTests.changes.map(\.name))
  func `is undone and redone across saves`(name: String) throws {
    let change = try #require(Self.changes.first { $0.name == name }?.change)
    let before = try saved()
    try change(context)
    try context.save()
    let after = try saved()
    for _ in 0..<2 {
      #expect(try log.undo())
      try expectSame(context.shown(), before)
      try context.save()
      try expectSame(saved(), before)
      #expect(try log.redo())
      try expectSame(context.shown(), after)
      try context.save()
      try expectSame(saved(), after)
      try expectSame(context.shown(), after)
    }
  }

  @Test func `undone before the save, nothing is saved`() throws {
    let before = try saved()
    for (_, change) in Self.changes {
      log.beginGroup()
      try change(context)
      log.endGroup()
      try log.undo()
    }
    try context.save()
    try expectSame(saved(), before)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6])
  func `any mixture of changes, saves, undos and redos leads back to every state`(
    seed: UInt64
  ) throws {
    var random = Seeded(seed)
    var states = [try context.shown()]
    for _ in 0..<25 {
      log.beginGroup()
      let change = Self.changes[Int(random.next() % UInt64(Self.changes.count - 1))]
      // What a change needs may be gone by now.
      do { try change.change(context) } catch is NotFound {}
      log.endGroup()
      let now = try context.shown()
      if log.undoCount == states.count { states.append(now) } else { #expect(now == states.last) }
      if random.next() % 3 == 0 { try context.save() }
    }
    #expect(states.count > 5)
    for _ in 0..<2 {
      for state in states.dropLast().reversed() {
        #expect(try log.undo())
        try expectSame(context.shown(), state, "seed \(seed)")
        if random.next() % 3 == 0 { try context.save() }
      }
      #expect(!log.canUndo)
      for state in states.dropFirst() {
        #expect(try log.redo())
        try expectSame(context.shown(), state, "seed \(seed)")
        if random.next() % 3 == 0 { try context.save() }
      }
      #expect(!log.canRedo)
    }
    try context.save()
    try expectSame(saved(), states.last ?? [])
  }

  @Test func `groups have names, nest, and end with a save`() throws {
    let ann = try context.find("Pilot", "Ann")
    log.beginGroup("rename")
    try ann.setValue("name", .string("Anna"))
    log.beginGroup("inner")
    try ann.setValue("hours", .integer(3))
    log.endGroup()
    log.endGroup()
    #expect(log.undoName == "rename")
    try ann.setValue("hours", .integer(4))
    try context.save()
    try ann.setValue("hours", .integer(5))
    #expect(log.undoCount == 3)
    try log.undo()
    #expect(try ann.value("hours") == .integer(4))
    try log.undo()
    #expect(try ann.value("hours") == .integer(3))
    try log.undo()
    #expect(try [ann.value("hours"), ann.value("name")] == [.integer(0), .string("Ann")])
    #expect(try log.undo() == false)
    #expect(log.redoName == "rename")
  }

  @Test func `another change after an undo leaves nothing to redo`() throws {
    let ann = try context.find("Pilot", "Ann")
    try ann.setValue("hours", .integer(1))
    try log.undo()
    #expect(log.canRedo)
    try ann.setValue("name", .string("Anna"))
    #expect(!log.canRedo && log.canUndo)
    #expect(try log.redo() == false)
  }

  @Test func `rolling back empties the log`() throws {
    let ann = try context.find("Pilot", "Ann")
    try ann.setValue("hours", .integer(1))
    try context.save()
    try ann.setValue("hours", .integer(2))
    context.rollback()
    #expect(!log.canUndo && !log.canRedo)
    #expect(try ann.value("hours") == .integer(1))
  }

  @Test func `the oldest groups are forgotten`() throws {
    log.levelsMax = 3
    let ann = try context.find("Pilot", "Ann")
    for hours in 1...10 {
      try ann.setValue("hours", .integer(Int64(hours)))
      log.endGroup()
    }
    #expect(log.undoCount == 3)
    while try log.undo() {}
    #expect(try ann.value("hours") == .integer(7))
  }

  @Test func `what others changed meanwhile stays where the group did not touch it`() throws {
    let ann = try context.find("Pilot", "Ann")
    try ann.setValue("hours", .integer(1))
    try context.save()
    let other = ModelContext(store, isolation: nil)
    try other.find("Pilot", "Ann").setValue("name", .string("Anna"))
    try other.delete(other.find("Tag", "night"))
    try other.save()
    context.receiveChanges()
    try log.undo()
    #expect(try [ann.value("hours"), ann.value("name")] == [.integer(0), .string("Anna")])
    try context.save()
    try expectSame(saved(), context.shown())
  }

  @Test func `undoing a change of what others have deleted does nothing`() throws {
    let ann = try context.find("Pilot", "Ann")
    try ann.setValue("hours", .integer(1))
    try context.save()
    let other = ModelContext(store, isolation: nil)
    try other.delete(other.find("Pilot", "Ann"))
    try other.save()
    context.receiveChanges()
    try log.undo()
    try context.save()
    try expectSame(saved(), context.shown())
    #expect(ann.isDeleted)
  }

  @Test func `a log outlives its context and then does nothing`() throws {
    let log = UndoLog()
    do {
      let context = ModelContext(store, isolation: nil)
      context.undoLog = log
      try context.find("Pilot", "Ann").setValue("hours", .integer(1))
    }
    #expect(try log.undo() == false)
  }
}

@Suite struct UndoTurnTests {
  @MainActor
  @Test func `on an actor a group ends with the turn`() async throws {
    let store = try Store(at: .memory, schema: Club.schema)
    let main = ModelContext(store)
    try main.make("Pilot", "Ann")
    try main.save()
    let log = UndoLog()
    main.undoLog = log
    let ann = try main.find("Pilot", "Ann")
    try ann.setValue("hours", .integer(1))
    try ann.setValue("hours", .integer(2))
    try await eventually { !log.isGroupOpen }
    try ann.setValue("hours", .integer(3))
    #expect(log.undoCount == 2)
    try log.undo()
    #expect(try ann.value("hours") == .integer(2))
    try log.undo()
    #expect(try ann.value("hours") == .integer(0))
  }
}
