import DataModel
import Testing

@testable import ObjectStore

/// Undoing the deletion of an owner together with what it owned, where that was never saved.
@Suite struct UnsavedUndoTests {
  /// An owner of things by every shape of relationship; all but what is left are deleted with it.
  private static let schema = Schema(
    name: "Owners",
    entities: [
      Schema.Entity(
        name: "Owner", attributes: [name],
        relationships: [
          owned("list", "Listed", isToMany: true),
          owned("ordered", "Ordered", isToMany: true, isOrdered: true),
          owned("single", "Single", isToMany: false),
          owned("pairs", "Paired", isToMany: true),
          owned("orderedPairs", "OrderedPaired", isToMany: true, isOrdered: true),
          owned("left", "Left", isToMany: true, isOrdered: true, .noAction),
        ]),
      entity("Listed", owner("list")), entity("Ordered", owner("ordered")),
      entity("Single", owner("single")), entity("Paired", owner("pairs", isToMany: true)),
      entity("OrderedPaired", owner("orderedPairs", isToMany: true)),
      entity("Left", owner("left")),
    ])

  private static let name = Schema.Attribute(name: "name", type: .string, isOptional: true)

  private static func entity(_ name: String, _ owner: Schema.Relationship) -> Schema.Entity {
    Schema.Entity(name: name, attributes: [Self.name], relationships: [owner])
  }

  private static func owner(_ inverse: String, isToMany: Bool = false) -> Schema.Relationship {
    Schema.Relationship(
      name: "owner", destination: "Owner", inverse: inverse, isToMany: isToMany)
  }

  private static func owned(
    _ name: String, _ destination: String, isToMany: Bool, isOrdered: Bool = false,
    _ rule: Schema.Relationship.DeleteRule = .cascade
  ) -> Schema.Relationship {
    Schema.Relationship(
      name: name, destination: destination, inverse: "owner", isToMany: isToMany,
      isOrdered: isOrdered, deleteRule: rule)
  }

  private let store: Store
  private let context: ModelContext
  private let log = UndoLog()
  private let owner: ManagedObject

  init() throws {
    store = try Store(at: .memory, schema: Self.schema)
    context = ModelContext(store, isolation: nil)
    owner = try context.make("Owner", "Ann")
    try context.save()
    context.undoLog = log
  }

  private static let relationships = ["list", "ordered", "single", "pairs", "orderedPairs"]

  /// Gives the owner two new things, or one where it can have no more, in one group.
  private func give(_ relationship: String) throws {
    let slot = try #require(owner.layout.slot(relationship))
    let destination = try #require(owner.layout.slots[slot].relationship?.destination)
    let entity = store.layout.entities[destination].name
    log.beginGroup()
    let first = try context.make(entity, "1")
    if relationship == "single" {
      try owner.setRelated(relationship, first)
    } else {
      try owner.setRelated(relationship, [context.make(entity, "2"), first])
    }
    log.endGroup()
  }

  private func deleteOwner() throws {
    log.beginGroup()
    try context.delete(owner)
    log.endGroup()
  }

  private func saved() throws -> [String] { try ModelContext(store, isolation: nil).shown() }

  @Test(arguments: relationships)
  func `an owner comes back with each of its things once, as often as it is deleted`(
    relationship: String
  ) throws {
    let alone = try context.shown()
    try give(relationship)
    let before = try context.shown()
    try deleteOwner()
    for _ in 0..<2 {
      try log.undo()
      try expectSame(context.shown(), before)
      try log.redo()
      try expectSame(context.shown(), [])
    }
    try log.undo()
    try log.undo()
    try expectSame(context.shown(), alone)
    try log.redo()
    try expectSame(context.shown(), before)
    try context.save()
    try expectSame(context.shown(), before)
    try expectSame(saved(), before)
  }

  @Test(arguments: relationships)
  func `what came back can be taken from its owner`(relationship: String) throws {
    try give(relationship)
    try deleteOwner()
    try log.undo()
    let slot = try #require(owner.layout.slot(relationship))
    if relationship == "single" {
      owner.setRelatedObject(slot, nil)
    } else {
      owner.setRelatedObjects(slot, [])
    }
    let things = relationship == "single" ? ["1"] : ["1", "2"]
    let found = try context.shown()
    #expect(found.count == things.count + 1)
    for line in found { #expect(line.hasSuffix("=[]"), "\(line)") }
    try context.save()
    try expectSame(saved(), found)
  }

  @Test(arguments: relationships)
  func `what is inserted again by hand belongs to nobody`(relationship: String) throws {
    try give(relationship)
    let things = try context.living("Owner").flatMap { owner in
      try [#require(owner.layout.slot(relationship))].flatMap { slot in
        relationship == "single"
          ? [owner.relatedObject(slot)].compactMap { $0 } : owner.relatedObjects(slot)
      }
    }
    try deleteOwner()
    for object in [owner] + things { try context.insert(object) }
    let found = try context.shown()
    #expect(found.count == things.count + 1)
    for line in found { #expect(!line.contains("=[1") && !line.contains("=[2"), "\(line)") }
    try context.save()
    try expectSame(saved(), found)
  }

  @Test(arguments: relationships + ["left"], [false, true])
  func `an owner that was never saved comes back with all it had`(
    relationship: String, isSaved: Bool
  ) throws {
    let context = ModelContext(store, isolation: nil)
    let log = UndoLog()
    let slot = try #require(owner.layout.slot(relationship))
    let destination = try #require(owner.layout.slots[slot].relationship?.destination)
    let thing = try context.make(store.layout.entities[destination].name, "1")
    if isSaved { try context.save() }
    let new = try context.make("Owner", "Ben")
    if relationship == "single" {
      new.setRelatedObject(slot, thing)
    } else {
      new.setRelatedObjects(slot, [thing])
    }
    let before = try context.shown()
    context.undoLog = log
    try context.delete(new)
    let after = try context.shown()
    for _ in 0..<2 {
      try log.undo()
      try expectSame(context.shown(), before)
      try log.redo()
      try expectSame(context.shown(), after)
    }
    try log.undo()
    try context.save()
    try expectSame(context.shown(), before)
    try expectSame(saved(), before)
  }
}
