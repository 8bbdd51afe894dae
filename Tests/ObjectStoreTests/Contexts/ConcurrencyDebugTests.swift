import DataModel
import Foundation
import Testing

@testable import ObjectStore

/// What the compiler could not see, carried across on purpose.
private final class Smuggled<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

private func checkingStore() throws -> Store {
  setenv(ConcurrencyDebug.variable, "1", 1)
  return try Store(at: .memory, schema: Club.schema)
}

/// Runs on a thread of its own, and waits for it.
private func elsewhere(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  done.wait()
}

@Suite struct ConcurrencyDebugTests {
  private func said(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func `an object of a background context that is read outside stops the program`()
    async throws
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let background = BackgroundContext(try checkingStore())
      let pilot = try await background.perform { context in
        Smuggled(try context.make("Pilot", "Ann"))
      }
      _ = try pilot.value.value("name")
    }
    #expect(
      said(result).contains(
        "Pilot.name is used outside the isolation of its context; fix: use it where the context was "
          + "made, or fetch it by its identity in a context of the task that needs it "
          + "[CONTRAIL_CONCURRENCY_DEBUG]"))
  }

  @Test func `an object of the main context that is set elsewhere stops the program`() async throws
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try checkingStore()
      let pilot = try await MainActor.run {
        let context = ModelContext(store)
        return Smuggled((context, try context.make("Pilot", "Ann")))
      }
      await Task.detached { try? pilot.value.1.setValue("hours", .integer(1)) }.value
    }
    #expect(said(result).contains("Pilot.hours is used outside the isolation of its context"))
  }

  private actor Owner {
    func make(_ store: Store) throws -> Smuggled<(ModelContext, ManagedObject)> {
      let context = ModelContext(store)
      return Smuggled((context, try context.make("Pilot", "Ann")))
    }
  }

  @Test func `an object of an actor's context that is used elsewhere stops the program`()
    async throws
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let owner = Owner()
      let pilot = try await owner.make(try checkingStore())
      await Task.detached { try? pilot.value.1.setValue("hours", .integer(1)) }.value
      withExtendedLifetime(owner) {}
    }
    #expect(said(result).contains("Pilot.hours is used outside the isolation of its context"))
  }

  @Test func `a context without isolation belongs to who made it`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Smuggled(ModelContext(try checkingStore(), isolation: nil))
      elsewhere { _ = try? context.value.insert("Pilot") }
    }
    #expect(said(result).contains("inserting Pilot is used outside the isolation of its context"))
  }

  @Test func `with the flag everything that is allowed goes on`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let store = try checkingStore()
      let background = BackgroundContext(store)
      try await background.perform { context in
        try context.make("Pilot", "Ann")
        try context.save()
      }
      background.performWaiting { background.performWaiting {} }
      try await MainActor.run {
        let context = ModelContext(store)
        _ = try context.find("Pilot", "Ann").name
      }
      let context = ModelContext(store)
      _ = try context.find("Pilot", "Ann").name
      await Task.yield()
      try context.find("Pilot", "Ann").setValue("hours", .integer(1))
      try context.save()
      let importer = Importer(background)
      try await importer.importPilot("Ben")
    }
    #expect(!said(result).contains("isolation"))
  }

  @Test func `without the flag nothing is checked`() throws {
    #expect(concurrencyDebugFlag == 0)
    let context = Smuggled(
      ModelContext(try Store(at: .memory, schema: Club.schema), isolation: nil))
    elsewhere { _ = try? context.value.insert("Pilot") }
    #expect(context.value.insertedObjects.count == 1)
  }
}
