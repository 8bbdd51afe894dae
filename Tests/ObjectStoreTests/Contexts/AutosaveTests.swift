import DataModel
import Foundation
import Testing

@testable import ObjectStore

@Suite struct AutosaveTests {
  let folder: TestFolder
  let store: Store

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
  }

  @MainActor
  @Test func `the main context saves by itself once changes have settled`() async throws {
    let container = StoreContainer(store)
    let context = container.mainContext
    #expect(context.autosaveEnabled)
    var saves = 0
    context.onDidSave { _ in saves += 1 }
    let ann = try context.make("Pilot", "Ann")
    for hours in 1...100 { try ann.setValue("hours", .integer(Int64(hours))) }
    try await eventually { !context.hasChanges }
    #expect(saves == 1)
    try expectSame(ModelContext(store, isolation: nil).shown(), context.shown())
    try ann.setValue("hours", .integer(500))
    try await eventually { !context.hasChanges }
    #expect(saves == 2)
  }

  @Test func `a background context saves by itself, on its executor`() async throws {
    let background = BackgroundContext(store)
    let notes = Notes()
    try await background.perform { context in
      context.autosaveEnabled = true
      context.onDidSave { _ in notes.add("\(background.executor.isCurrent)") }
      try context.make("Pilot", "Ann")
    }
    try await eventually { notes.all == ["true"] }
    #expect(try ModelContext(store).all("Pilot").map(\.name) == ["Ann"])
  }

  @MainActor
  @Test func `changes that wait keep the context alive until they are saved`() async throws {
    do {
      let context = ModelContext(store)
      context.autosaveEnabled = true
      try context.make("Pilot", "Ann")
    }
    let reader = ModelContext(store)
    try await eventually { try reader.all("Pilot").count == 1 }
  }

  @MainActor
  @Test func `an autosave that fails is told, and its changes are kept`() async throws {
    let context = ModelContext(store)
    let ann = try context.make("Pilot", "Ann")
    try context.save()
    context.autosaveEnabled = true
    let other = ModelContext(store, isolation: nil)
    try ann.setValue("hours", .integer(1))
    try other.find("Pilot", "Ann").setValue("hours", .integer(2))
    try other.save()
    var told: [StoreError] = []
    context.onProblem = { told.append($0) }
    try await eventually { !told.isEmpty }
    #expect(told.map(\.code) == [.autosaveFailed])
    #expect(told.first?.failures.map(\.code) == [.conflict])
    #expect(context.takeProblems() == told)
    #expect(context.hasChanges)
    #expect(try ann.value("hours") == .integer(1))
    context.mergePolicy = .mergeByPropertyObjectTrump
    try ann.setValue("name", .string("Anna"))
    try await eventually { !context.hasChanges }
    #expect(try other.find("Pilot", "Anna").value("hours") == .integer(1))
  }

  @Test func `a context without isolation says that it cannot save by itself`() throws {
    let context = ModelContext(store, isolation: nil)
    context.autosaveEnabled = true
    #expect(!context.autosaveEnabled)
    #expect(context.problems.map(\.code) == [.noIsolation])
  }

  @MainActor
  @Test func `turned off, nothing is saved, and changes go with the context`() async throws {
    do {
      let context = ModelContext(store)
      context.autosaveEnabled = true
      try context.make("Pilot", "Ann")
      context.autosaveEnabled = false
    }
    try await Task.sleep(for: Autosave.delay * 3)
    #expect(try ModelContext(store).all("Pilot").isEmpty)
  }
}
