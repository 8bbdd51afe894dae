import DataModel
import Foundation
import SchemaGenerator
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct RandomMigrationTests {
  /// Seeds in a run of the suite; a failing one is in the message.
  static let seeds = UInt64(0)..<100

  static let stageSeeds = UInt64(5000)..<5080

  @Test func `what can be inferred ends as a new store, with all values and links`()
    throws
  {
    var automatic = 0
    var refused = 0
    for seed in Self.seeds {
      var generator = SeededGenerator(seed: seed)
      let source = Schema.random(using: &generator).storable()
      let target =
        generator.oneIn(3)
        ? Schema.random(using: &generator).storable() : source.edited(using: &generator)
      if source.entities.isEmpty { continue }
      let isMigrated = try check(source, target, seed, &generator)
      if isMigrated { automatic += 1 } else { refused += 1 }
    }
    // Both happen, or the test shows nothing.
    #expect(automatic > 40 && refused > 10, "\(automatic) migrated, \(refused) refused")
  }

  @Test func `a custom stage can read all that is removed, and ends as a new store`()
    throws
  {
    var finished = 0
    for seed in Self.stageSeeds {
      var generator = SeededGenerator(seed: seed)
      let source = Schema.random(using: &generator).storable()
      let target =
        generator.oneIn(3)
        ? Schema.random(using: &generator).storable() : source.edited(using: &generator)
      if source.entities.isEmpty || source.versionHash == target.versionHash { continue }
      let bench = try MigrationBench()
      try bench.open(source).fillRandomly(3, using: &generator)
      let stages = try MigrationStages(
        versions: [source, target],
        stages: [
          .custom(
            from: source, to: target,
            didMigrate: { context, scratch in
              _ = try context.allLines()
              for (entity, property) in scratch.properties {
                try scratch.forEach(entity, [property]) { _, _ in }
              }
            })
        ])
      do {
        let store = try bench.open(target, .staged(stages))
        let shapes = try bench.shapes(target)
        #expect(shapes.found == shapes.expected, "seed \(seed)")
        _ = try ModelContext(store).allLines()
        finished += 1
      } catch let error as StoreError {
        // What the stage was to mend and has not.
        let isExpected = [.migrationFailed, .migrationNeeded].contains(error.code)
        #expect(isExpected, "seed \(seed): \(error)")
      }
    }
    #expect(finished > 10, "\(finished)")
  }

  private func check(
    _ source: Schema, _ target: Schema, _ seed: UInt64, _ generator: inout SeededGenerator
  ) throws -> Bool {
    let bench = try MigrationBench()
    let before: [Int: [Int64: [Int: String]]]
    let map: MigrationMap
    do {
      let store = try bench.open(source)
      try store.fillRandomly(3, using: &generator)
      before = try store.everything()
      let lineage = Lineage(source, target)
      map = MigrationMap(
        store.layout,
        StoreLayout(target, store.layout.catalogue.carried(to: target, lineage)), lineage)
    }
    let old = try MigrationBench.shape(Connection(.file(bench.path), mode: .readOnly))
    let plan: MigrationPlan
    do {
      plan = try Store.migrationPlan(at: bench.path, to: target)
    } catch {
      Issue.record("seed \(seed): plan: \(error)")
      return false
    }
    guard plan.problems.isEmpty else {
      #expect(throws: StoreError.self) { try bench.open(target) }
      #expect(try MigrationBench.shape(Connection(.file(bench.path), mode: .readOnly)) == old)
      return false
    }
    do {
      let store = try bench.open(target)
      let shapes = try bench.shapes(target)
      #expect(shapes.found == shapes.expected, "seed \(seed)")
      compare(before, try store.everything(), map, plan, try shifts(bench), seed)
      _ = try ModelContext(store).allLines()
    } catch {
      let steps = plan.steps.map(\.description).joined(separator: "\n")
      Issue.record("seed \(seed): \(error)\n\(steps)")
    }
    return true
  }

  private func shifts(_ bench: MigrationBench) throws -> [Int: Int64] {
    let connection = try Connection(.file(bench.path), mode: .readOnly)
    let statement = try connection.prepare("SELECT entity, shift FROM contrail_moved")
    var result: [Int: Int64] = [:]
    while try statement.step() { result[Int(statement.integer(0))] = statement.integer(1) }
    return result
  }

  /// Values that have the same type, and links between objects that both have all of, must be equal.
  private func compare(
    _ before: [Int: [Int64: [Int: String]]], _ after: [Int: [Int64: [Int: String]]],
    _ map: MigrationMap, _ plan: MigrationPlan, _ shifts: [Int: Int64], _ seed: UInt64
  ) {
    for mover in map.sortedTables.flatMap(\.movers) {
      let shift = shifts[mover.new.number] ?? 0
      let old = before[mover.old.number] ?? [:]
      let new = after[mover.new.number] ?? [:]
      #expect(Set(old.keys.map { $0 + shift }) == Set(new.keys), "seed \(seed): \(mover.new.name)")
      for slot in mover.new.slots where slot.attribute != nil && slot.column != nil {
        guard let source = map.source(slot, of: mover.new), source.column != nil,
          source.attribute?.type == slot.attribute?.type, slot.attribute?.derivation == nil,
          source.attribute?.derivation == nil
        else { continue }
        for (key, values) in old {
          let value = values[source.number]
          if value == nil && !slot.isOptional { continue }
          #expect(
            new[key + shift]?[slot.number] == value,
            "seed \(seed): \(mover.new.name).\(slot.name) of \(key)")
        }
      }
      if !shifts.isEmpty { continue }
      for slot in mover.new.slots {
        guard let relationship = slot.relationship, slot.number > 0,
          let source = map.source(slot, of: mover.new), let was = source.relationship,
          was.schema.isToMany == relationship.schema.isToMany,
          survivesWhole(was, relationship, map)
        else { continue }
        for (key, values) in old {
          let kept = Set((values[source.number] ?? "").split(separator: ","))
          let found = Set((new[key]?[slot.number] ?? "").split(separator: ","))
          // A new inverse may have brought links of its own.
          #expect(
            found.isSuperset(of: kept), "seed \(seed): \(mover.new.name).\(slot.name) of \(key)")
        }
      }
    }
  }

  private func survivesWhole(
    _ old: RelationshipLayout, _ new: RelationshipLayout, _ map: MigrationMap
  ) -> Bool {
    let family = map.new.entities[new.destination].family
    return map.old.entities[old.destination].family.allSatisfy { index in
      let entity = map.old.entities[index]
      if entity.schema.isAbstract { return true }
      return map.newEntity(entity).map { family.contains($0.index) } ?? false
    }
  }
}

extension Store {
  /// Every value and link: by the entity's number, the key, and the property's number.
  func everything() throws -> [Int: [Int64: [Int: String]]] {
    let context = ModelContext(self)
    var result: [Int: [Int64: [Int: String]]] = [:]
    for layout in layout.entities where !layout.schema.isAbstract {
      for object in try context.all(layout.name) where object.entity == layout.name {
        var values: [Int: String] = [:]
        for (index, slot) in layout.slots.enumerated() where slot.number > 0 && !slot.isOrder {
          if let relationship = slot.relationship {
            let objects =
              relationship.schema.isToMany
              ? object.relatedObjects(index) : object.relatedObject(index).map { [$0] } ?? []
            values[slot.number] = objects.map { String($0.key) }.joined(separator: ",")
          } else if object.isPresent(index) {
            values[slot.number] = try object.value(slot.name).shown
          }
        }
        result[layout.number, default: [:]][object.key] = values
      }
    }
    return result
  }
}
