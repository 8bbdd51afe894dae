import DataModel
import Foundation
import PredicateSQL

@testable import ObjectStore

/// One random step; what it is done to follows from the numbers and from what there is, so that it also
/// means something when steps before it are left out.
struct ModelStep: CustomStringConvertible {
  enum Kind: Int, CaseIterable {
    case insert, set, refer, unrefer, add, addPair, removePair, order, orderPairs, delete, revive,
      save,
      rollback, fetch, forget, policy
  }

  /// How often each kind is drawn.
  static let weights: [(Kind, Int)] = [
    (.insert, 14), (.set, 12), (.refer, 14), (.unrefer, 4), (.add, 6), (.addPair, 14),
    (.removePair, 6), (.order, 4), (.orderPairs, 4), (.delete, 6), (.revive, 2), (.save, 10),
    (.rollback, 2), (.fetch, 6), (.forget, 4), (.policy, 2),
  ]

  var kind: Kind
  var side: Int
  var a: Int
  var b: Int
  var c: Int

  var description: String { "\(kind) side \(side) (\(a), \(b), \(c))" }

  static func random(_ count: Int, _ random: inout Seeded) -> [ModelStep] {
    let all = weights.flatMap { [Kind](repeating: $0.0, count: $0.1) }
    return (0..<count).map { _ in
      func number() -> Int { Int.random(in: 0..<10_000, using: &random) }
      return ModelStep(
        kind: all[number() % all.count], side: number() % 3, a: number(), b: number(), c: number())
    }
  }
}

/// What is wrong between the model and the store.
struct ModelMismatch: Error, CustomStringConvertible {
  var description: String
}

/// A real store with three contexts, and the model of it.
final class ModelRun {
  let store: Store
  var contexts: [ModelContext]
  var sides = [Side](repeating: Side(), count: 3)
  var world = World()
  /// Keys of saved objects by label, and objects that are held, by side.
  var keys: [Label: Int64] = [:]
  var entities: [Label: String] = [:]
  var held: [[Label: ManagedObject]] = [[:], [:], [:]]
  var nextLabel = 1
  var log: [String] = []

  init(at location: Store.Location = .memory) throws {
    let store = try Store(at: location, schema: Zoo.schema)
    self.store = store
    contexts = (0..<3).map { _ in ModelContext(store) }
    for (index, policy) in [MergePolicy.overwrite, .mergeByPropertyStoreTrump, .error].enumerated()
    {
      contexts[index].mergePolicy = policy
    }
  }

  static func replay(
    _ steps: [ModelStep], at location: Store.Location = .memory
  ) -> (at: Int, what: String)? {
    do {
      let run = try ModelRun(at: location)
      for (index, step) in steps.enumerated() {
        do { try run.perform(step) } catch { return (index, "\(error)") }
      }
    } catch {
      return (0, "\(error)")
    }
    return nil
  }

  /// The fewest steps found that still fail.
  static func shrunk(_ steps: [ModelStep]) -> [ModelStep] {
    var steps = steps
    if let failure = replay(steps) { steps = Array(steps.prefix(failure.at + 1)) }
    var size = max(1, steps.count / 2)
    while true {
      var start = 0
      var isShorter = false
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if let failure = replay(fewer) {
          steps = Array(fewer.prefix(failure.at + 1))
          isShorter = true
        } else {
          start += size
        }
      }
      if size == 1 && !isShorter { return steps }
      size = max(1, size / 2)
    }
  }

  /// What is done, step by step, in words.
  static func story(_ steps: [ModelStep]) -> String {
    guard let run = try? ModelRun() else { return "" }
    for step in steps {
      do { try run.perform(step) } catch { run.log.append("  \(error)") }
    }
    return run.log.joined(separator: "\n")
  }

  func object(_ label: Label, _ side: Int) throws -> ManagedObject {
    if let object = held[side][label] { return object }
    guard let key = keys[label] else { throw ModelMismatch(description: "no key for \(label)") }
    let entity = sides[side].row(label)?.entity ?? sides[side].world.rows[label]?.entity ?? "Item"
    // Met as its base now and then, as relationships do.
    let identity = ObjectIdentity(
      store: store.identifier, entity: entity == "Gadget" && label % 2 == 0 ? "Item" : entity,
      key: key)
    guard let object = contexts[side].object(identity) else {
      throw ModelMismatch(description: "no object for \(label)")
    }
    return object
  }

  func hold(_ label: Label, _ side: Int) throws -> ManagedObject {
    let found = try object(label, side)
    held[side][label] = found
    return found
  }

  func pick(_ number: Int, _ entity: String, _ side: Int) -> Label? {
    let labels = sides[side].labels(entity)
    return labels.isEmpty ? nil : labels[number % labels.count]
  }

  func perform(_ step: ModelStep) throws {
    let side = step.side
    contexts[side].receiveChanges()
    sides[side].receive(world)
    try apply(step)
    try syncOrder(side)
    try compare(side)
  }

  /// The places of an order are columns like others, but how they are chosen is not the model's.
  private func syncOrder(_ side: Int) throws {
    for label in sides[side].labels("Item") {
      let isNew = sides[side].insertedRows[label] != nil
      let object = try object(label, side)
      guard object.row != nil, object.hasChanges || isNew,
        let slot = object.layout.slot("box" + Slot.orderSuffix)
      else { continue }
      let place = object.placeInOrder(slot).map(FieldValue.integer) ?? .null
      let known = sides[side].row(label)?.values["box@order"] ?? .null
      if place != known { sides[side].set(label, "box@order", place) }
    }
  }
}
