import DataModel
import Foundation
import Testing

@testable import ObjectStore

@Suite struct ContextStressTests {
  static let contexts = 8
  static let rounds = 60
  static let counters = 4

  /// Contexts add 1 to shared counters and try again after each conflict: the total shows lost updates.
  private func total(_ store: Store, _ policy: MergePolicy) async throws -> Int64 {
    let setup = ModelContext(store, isolation: nil)
    let objects = try (0..<Self.counters).map { try setup.make("Pilot", "counter \($0)") }
    try setup.save()
    let identities = objects.compactMap(\.identity)
    let watcher = ModelContext(store, isolation: nil)
    var seen: [Int64] = []
    watcher.onChanges { seen.append($0.transaction) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<Self.contexts {
        let background = BackgroundContext(store, author: "context \(number)")
        group.addTask {
          try await background.perform { $0.mergePolicy = policy }
          for round in 0..<Self.rounds {
            let identity = identities[(number + round) % identities.count]
            while try await background.perform({ try $0.addOne(identity) }) == false {}
          }
        }
      }
      try await group.waitForAll()
    }
    watcher.receiveChanges()
    #expect(seen == seen.sorted() && Set(seen).count == seen.count)
    #expect(seen.count == Self.contexts * Self.rounds)
    let reader = ModelContext(store, isolation: nil)
    return try reader.all("Pilot").reduce(0) { sum, pilot in
      guard case .integer(let hours) = try pilot.value("hours") else { return sum }
      return sum + hours
    }
  }

  @Test func `with errors and retries no update is lost among eight contexts`() async throws {
    let folder = try TestFolder()
    let sum = try await total(folder.store(), .error)
    #expect(sum == Int64(Self.contexts * Self.rounds))
  }

  @Test func `a store in memory loses no update either`() async throws {
    let sum = try await total(Store(at: .memory, schema: Club.schema), .error)
    #expect(sum == Int64(Self.contexts * Self.rounds))
  }

  @Test func `where the object's changes win every save succeeds, and may lose others' updates`()
    async throws
  {
    let folder = try TestFolder()
    let sum = try await total(folder.store(), .mergeByPropertyObjectTrump)
    #expect(sum > 0 && sum <= Int64(Self.contexts * Self.rounds))
  }

  @MainActor
  @Test func `a main context follows eight writers to the end`() async throws {
    let folder = try TestFolder()
    let store = try folder.store()
    let main = ModelContext(store)
    let tag = try main.make("Tag", "all")
    try main.save()
    let identity = try #require(tag.identity)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<Self.contexts {
        group.addTask {
          let background = BackgroundContext(store)
          for round in 0..<Self.rounds / 4 {
            try await background.perform { context in
              let flight = try context.make("Flight", "\(number) \(round)")
              let tag = try #require(context.object(identity))
              try tag.addRelated("flights", flight)
              if round % 5 == 4 {
                let old = try tag.relatedObjects("flights").filter {
                  $0.name.hasPrefix("\(number) ")
                }
                for flight in old.dropLast() { try context.delete(flight) }
              }
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let expected = try ModelContext(store, isolation: nil).all("Flight").map(\.name).sorted()
    #expect(!expected.isEmpty)
    try await eventually {
      try tag.relatedObjects("flights").map(\.name).sorted() == expected
    }
    try expectSame(main.shown(), ModelContext(store, isolation: nil).shown())
  }
}

extension ModelContext {
  /// Adds 1 to a counter; false where another context was quicker.
  fileprivate func addOne(_ identity: ObjectIdentity) throws -> Bool {
    receiveChanges()
    let counter = try #require(object(identity))
    guard case .integer(let hours) = try counter.value("hours") else { return false }
    try counter.setValue("hours", .integer(hours + 1))
    do {
      try save()
      return true
    } catch let error as StoreError where error.code == .conflict {
      rollback()
      return false
    }
  }
}
