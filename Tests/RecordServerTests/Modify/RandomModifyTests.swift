import DataModel
import RecordWire
import SchemaGenerator
import Testing

@testable import RecordServer

/// Random calls on memory and on a file, which have to answer the same.
@Suite struct RandomModifyTests {
  @Test(arguments: UInt64(1)...15)
  func `a file answers as memory does, whatever is asked`(seed: UInt64) async throws {
    let worlds = try TestedStorage.allCases.map { kind in
      let made = try kind.make()
      return (world: ModifyWorld(made.storage), folder: made.folder)
    }
    for (world, _) in worlds { try await world.begin() }
    var random = SeededGenerator(seed: seed)
    for step in 0..<40 {
      let operations = Self.operations(&random)
      let isAtomic = random.next() % 2 == 0
      var outcomes: [ModifyOutcome] = []
      for (world, _) in worlds {
        outcomes.append(try await world.modify(operations, atomic: isAtomic))
      }
      #expect(outcomes[0] == outcomes[1], "seed \(seed), step \(step)")
      try await Self.checkDeletions(
        worlds[0].world, outcomes[0], "seed \(seed), step \(step)")
      if step % 8 == 7 {
        let contents = [
          try await worlds[0].world.contents(), try await worlds[1].world.contents(),
        ]
        #expect(contents[0] == contents[1], "seed \(seed), step \(step)")
        try await Self.checkReferences(worlds[1].world, "seed \(seed), step \(step)")
      }
    }
  }

  private static func operations(_ random: inout SeededGenerator) -> [RecordOperation] {
    (0...Int(random.next() % 6)).map { _ in
      let kind = RecordOperation.Kind.allCases[
        Int(random.next() % UInt64(RecordOperation.Kind.allCases.count))]
      var fields: RecordFields = [:]
      if random.next() % 2 == 0 { fields["text"] = RecordField(.string("t\(random.next() % 9)")) }
      if random.next() % 2 == 0 {
        let actions = RecordReference.Action.allCases
        let target = "r\(random.next() % 9)"
        let action = actions[Int(random.next() % UInt64(actions.count))]
        fields["link\(random.next() % 2)"] = RecordField(
          random.next() % 5 == 0 ? .null : .refers(to: target, action))
      }
      return .op(
        kind, "r\(random.next() % 9)", tag: kind.needsChangeTag ? random.next() % 60 + 1 : nil,
        fields)
    }
  }

  /// No live record belongs to one that the call has deleted.
  private static func checkDeletions(
    _ world: ModifyWorld, _ outcome: ModifyOutcome, _ comment: Comment
  ) async throws {
    var deleted = Set(outcome.cascaded.map(\.name))
    for case .deleted(let name, .some) in outcome.entries { deleted.insert(name) }
    if deleted.isEmpty { return }
    for (name, json) in try await world.contents() {
      let fields = try FieldBytes(checked: Array(json.utf8)).fields()
      for reference in fields.entries.flatMap(\.field.value.references)
      where reference.action == .deleteSelf {
        #expect(
          !deleted.contains(reference.recordName), "\(name) \(reference.recordName), \(comment)")
      }
    }
  }

  /// No live record has a validating reference to one that is not there.
  private static func checkReferences(_ world: ModifyWorld, _ comment: Comment) async throws {
    let live = try await world.contents()
    for (name, json) in live {
      let fields = try FieldBytes(checked: Array(json.utf8)).fields()
      for entry in fields.entries {
        for reference in entry.field.value.references where reference.action == .validate {
          #expect(live[reference.recordName] != nil, "\(name) \(entry.name), \(comment)")
        }
      }
    }
  }
}
