import ChildPrograms
import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct TwoProcessTests {
  @Test(.timeLimit(.minutes(5)))
  func `three processes write one store: no update is lost, and all of it arrives in order`() throws
  {
    let folder = try HistoryFolder()
    let path = folder.path("fleet.sqlite")
    let store = try HistorySamples.store(at: .file(path))
    let context = ModelContext(store, author: "parent")
    let counter = try context.add("Vehicle")[0]
    let inbox = ChangeInbox()
    store.hub.add(inbox)
    store.watchOtherProcesses()

    let rounds = 60
    let children = try ["one", "two"].map {
      try child("count", path, "Vehicle", "wheels", $0, "\(rounds)")
    }
    var done = 0
    while done < rounds {
      context.receiveChanges()
      guard case .integer(let value) = try counter.value("wheels") else { break }
      try counter.setValue("wheels", .integer(value + 1))
      do {
        try context.save()
        done += 1
      } catch let error as StoreError where error.code == .conflict {
        context.rollback()
      }
    }
    for child in children {
      #expect(child.wait() == .code(0))
    }
    context.receiveChanges()
    #expect(try counter.value("wheels") == .integer(Int64(3 * rounds)))
    #expect(context.problems == [])

    let kept = try store.history(HistoryRequest(after: .transaction(1)))
    let arrived = inbox.takeAll()
    #expect(arrived.map(\.transaction) == kept.map(\.number))
    #expect(arrived.map(\.author) == kept.map(\.author))
    #expect(arrived.allSatisfy { !$0.isUnknown })
    #expect(kept.map(\.number) == (2..<Int64(2 + 3 * rounds)).map { $0 })
    for author in ["one", "two", "parent"] {
      #expect(kept.filter { $0.author == author }.count == rounds)
    }
    #expect(Set(kept.filter { $0.author == "one" }.map(\.process)) == ["StoreChild"])
    #expect(try store.verifyHistory().problems == [])
  }

  @Test(.timeLimit(.minutes(5)))
  func `what another process inserts is told without asking`() async throws {
    let folder = try HistoryFolder()
    let path = folder.path("fleet.sqlite")
    let store = try HistorySamples.store(at: .file(path))
    let news = AsyncStream.makeStream(of: Void.self)
    let inbox = ChangeInbox { news.continuation.yield() }
    store.hub.add(inbox)
    store.watchOtherProcesses()
    let child = try child("once", path, "Owner", "name", "child", "500")
    for await _ in news.stream { break }
    #expect(inbox.takeAll().map(\.line) == ["1 child: +2/1x500"])
    child.wait()
  }

  private func child(_ arguments: String...) throws -> ChildProgram {
    try ChildProgram([ChildProgram.beside("StoreChild")] + arguments)
  }
}
