import DataModel
import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import ObjectStore

@Suite struct RemoteChangeTests {
  let folder: HistoryFolder
  let near: Store
  let far: Store

  init() throws {
    folder = try HistoryFolder()
    let location = Store.Location.file(folder.path("fleet.sqlite"))
    near = try HistorySamples.store(at: location)
    far = try HistorySamples.store(at: location)
  }

  @Test func `what another store commits arrives once, and own commits never come back`() throws {
    let context = ModelContext(near, author: "near")
    let sibling = ChangeInbox()
    near.hub.add(sibling)
    let other = ModelContext(far, author: "far")
    #expect(try near.receiveRemoteChanges() == true)
    #expect(try near.receiveRemoteChanges() == false)
    try other.add("Owner", 2)
    #expect(sibling.takeAll().isEmpty)
    #expect(try near.receiveRemoteChanges() == true)
    #expect(try near.receiveRemoteChanges() == false)
    #expect(sibling.takeAll().map(\.line) == ["1 far: +2/1x2"])
    try context.add("Owner")
    #expect(context.inbox.takeAll().isEmpty)
    try near.receiveRemoteChanges()
    #expect(context.inbox.takeAll().isEmpty)
    #expect(sibling.takeAll().map(\.line) == ["2 near: +2/35x1"])
  }

  @Test func `what others committed before an own commit is told before it`() throws {
    let inbox = ChangeInbox()
    near.hub.add(inbox)
    let context = ModelContext(near, author: "near")
    let other = ModelContext(far, author: "far")
    try other.add("Owner")
    try other.add("Car")
    // Not through a context's save, which asks for others' changes first.
    let owner = try #require(near.layout.entity("Owner"))
    try near.write(author: "near") { transaction in
      _ = try transaction.newKey(owner)
      try transaction.log.inserted(owner.number, 9)
    }
    try near.receiveRemoteChanges()
    let lines = inbox.takeAll().map(\.line)
    #expect(lines.map { $0.prefix(6) } == ["1 far:", "2 far:", "3 near"])
    #expect(context.inbox.takeAll().count == 3)
  }

  @Test func `a context reads again what another store changed`() throws {
    let context = ModelContext(near)
    let owner = try context.add("Owner")[0]
    try owner.setValue("name", .string("Ann"))
    try context.save()
    let other = ModelContext(far)
    let twin = try #require(owner.identity.flatMap { other.object($0) })
    #expect(try twin.value("name") == .string("Ann"))
    try twin.setValue("name", .string("Bea"))
    try other.save()
    context.receiveChanges()
    #expect(try owner.value("name") == .string("Bea"))
    try other.delete(twin)
    try other.save()
    context.receiveChanges()
    #expect(owner.isDeleted)
  }

  @Test func `an object with changes is read again once they are rolled back`() throws {
    let context = ModelContext(near)
    let owner = try context.add("Owner")[0]
    let other = ModelContext(far)
    let twin = try #require(owner.identity.flatMap { other.object($0) })
    try twin.setValue("name", .string("Bea"))
    try owner.setValue("name", .string("Ann"))
    try other.save()
    context.receiveChanges()
    #expect(try owner.value("name") == .string("Ann"))
    #expect(storeError { try context.save() }?.code == .conflict)
    context.rollback()
    #expect(try owner.value("name") == .string("Bea"))
    try owner.setValue("name", .string("Cid"))
    try context.save()
  }

  @Test func `the log and the tail of history tell the same`() throws {
    let inbox = ChangeInbox()
    near.hub.add(inbox)
    let context = ModelContext(near, author: "near")
    let owners = try context.add("Owner", 3)
    let cars = try context.add("Car", 2) + context.add("Vehicle", 2)
    try owners[0].setValue("name", .string("x"))
    try cars[1].setRelated("owner", owners[1])
    try cars[1].setValue("doors", .integer(2))
    try context.insert("Owner")
    try context.insert("Car")
    try context.delete(owners[2])
    try context.save()
    context.author = nil
    try context.add("Owner")
    let fromLog = inbox.takeAll()
    let fromTail = try near.read { connection in
      try connection.snapshot { try HistoryTail.read(connection, after: 0) }
    }
    #expect(fromTail.sets == fromLog)
    #expect(fromTail.sets.map(\.line) == fromLog.map(\.line))
    #expect(fromTail.newest == 5)
    #expect(fromLog.count == 5)
  }

  @Test func `where the tail was purged, anything may have changed`() throws {
    let inbox = ChangeInbox()
    near.hub.add(inbox)
    let context = ModelContext(near)
    let owner = try context.add("Owner")[0]
    _ = inbox.takeAll()
    let other = ModelContext(far, author: "far")
    let twin = try #require(owner.identity.flatMap { other.object($0) })
    try twin.setValue("name", .string("Bea"))
    try other.save()
    try other.add("Owner")
    try other.add("Owner")
    try far.purgeHistory(before: .date(.distantFuture))
    try near.receiveRemoteChanges()
    #expect(inbox.takeAll().map(\.line) == ["4 -: unknown"])
    context.receiveChanges()
    #expect(try owner.value("name") == .string("Bea"))
    // Before an own commit it is the same.
    try other.add("Owner")
    try other.add("Owner")
    try far.purgeHistory(before: .date(.distantFuture))
    let number = try #require(near.layout.entity("Owner")).number
    try near.write(author: "near") { try $0.log.inserted(number, 50) }
    #expect(inbox.takeAll().map(\.line) == ["6 -: unknown", "7 near: +2/50x1"])
  }

  @Test func `more changes than are worth telling one by one are told as unknown`() throws {
    let inbox = ChangeInbox()
    near.hub.add(inbox)
    let number = try #require(far.layout.entity("Owner")).number
    try far.write { transaction in
      for key in 1...Int64(HistoryTail.rowsMax + 1) {
        try transaction.log.updated(number, key, [1])
      }
    }
    try near.receiveRemoteChanges()
    #expect(inbox.takeAll().map(\.line) == ["1 -: unknown"])
    try far.write { transaction in try transaction.log.inserted(number, 1, count: 5_000_000) }
    try near.receiveRemoteChanges()
    #expect(inbox.takeAll().map(\.line) == ["2 -: +2/1x5000000"])
  }

  @Test func `a history that went back to an older state means that anything may have changed`()
    throws
  {
    let inbox = ChangeInbox()
    near.hub.add(inbox)
    for _ in 0..<5 { try ModelContext(near).add("Owner") }
    _ = inbox.takeAll()
    let restored = try Connection(.file(folder.path("fleet.sqlite")))
    try restored.execute(
      """
      DELETE FROM contrail_transaction WHERE number > 2;
      DELETE FROM contrail_change WHERE number > 2
      """)
    try near.receiveRemoteChanges()
    #expect(inbox.takeAll().map(\.line) == ["2 -: unknown"])
    try ModelContext(far, author: "far").add("Owner")
    try near.receiveRemoteChanges()
    #expect(inbox.takeAll().map(\.line) == ["3 far: +2/34x1"])
  }

  @Test func `many threads on two stores hear of all commits in order, each once`() throws {
    let inbox = ChangeInbox()
    near.hub.add(inbox)
    let number = try #require(near.layout.entity("Owner")).number
    let writers = 4
    let perWriter = 50
    let (near, far) = (near, far)
    DispatchQueue.concurrentPerform(iterations: writers + 2) { index in
      if index >= writers {
        for _ in 0..<200 { _ = try? near.receiveRemoteChanges() }
        return
      }
      let store = index % 2 == 0 ? near : far
      for round in 0..<perWriter {
        _ = try? store.write(author: "\(index)") { transaction in
          try transaction.log.inserted(number, Int64(index * 1000 + round + 1))
          if round % 7 == 3 { throw CancellationError() }
        }
      }
    }
    try near.receiveRemoteChanges()
    let arrived = inbox.takeAll()
    let kept = try near.history()
    #expect(arrived.map(\.transaction) == kept.map(\.number))
    #expect(arrived.map(\.author) == kept.map(\.author))
    #expect(kept.count == writers * (0..<perWriter).filter { $0 % 7 != 3 }.count)
  }

  @Test func `a store that is only read hears of others' commits, and reads history`() throws {
    var options = Store.Options()
    options.allowsSave = false
    let reader = try Store(
      at: near.location, schema: HistorySamples.schema, options: options)
    let context = ModelContext(reader)
    let inbox = ChangeInbox()
    reader.hub.add(inbox)
    try ModelContext(far, author: "far").add("Owner", 2)
    context.receiveChanges()
    #expect(context.problems == [])
    #expect(inbox.takeAll().map(\.line) == ["1 far: +2/1x2"])
    #expect(try reader.history().map(\.line) == ["1 far: #1 +Owner 1, #2 +Owner 2"])
    #expect(storeError { try reader.registerReader("sync") }?.code == .readOnly)
  }

  @Test func `a listener that is woken up may read and write the store at once`() throws {
    let near = near
    let woken = Counter()
    let inbox = ChangeInbox {
      woken.add()
      guard woken.value < 3 else { return }
      _ = try? near.receiveRemoteChanges()
      _ = try? ModelContext(near, author: "woken").add("Owner")
    }
    near.hub.add(inbox)
    try ModelContext(near, author: "near").add("Owner")
    #expect(inbox.takeAll().map(\.author) == ["near", "woken"])
    try ModelContext(far, author: "far").add("Owner")
    try near.receiveRemoteChanges()
    #expect(inbox.takeAll().map(\.author) == ["far", "woken"])
    #expect(woken.value == 2)
    #expect(try near.verifyHistory().problems == [])
  }

  @Test func `a watched store hears of others' commits without asking`() async throws {
    let news = AsyncStream.makeStream(of: Void.self)
    let inbox = ChangeInbox { news.continuation.yield() }
    near.hub.add(inbox)
    near.watchOtherProcesses()
    near.watchOtherProcesses()
    var heard: [String] = []
    let other = ModelContext(far, author: "far")
    var wakes = news.stream.makeAsyncIterator()
    for round in 1...20 {
      try other.add("Owner")
      while heard.count < round {
        _ = await wakes.next()
        heard += inbox.takeAll().map(\.line)
      }
    }
    #expect(heard == (1...20).map { "\($0) far: +2/\($0)x1" })
  }
}

/// Serialized, since it counts threads.
@Suite(.serialized) struct FileWatchTests {
  @Test func `the watching thread ends with its watch`() async throws {
    let folder = try HistoryFolder()
    let looks = Counter()
    var watch = FileWatch(folder.path("a.sqlite"), recheckingUpTo: 16) {
      looks.add()
      return .unchanged
    }
    #expect(watch != nil)
    // After the looks at 1, 2, 4, 8 and 16 ms the thread sleeps for good: other files do not wake it.
    try await eventually { looks.value >= 5 }
    let before = 5
    _ = FileManager.default.createFile(atPath: folder.path("other-wal"), contents: Data([1]))
    try await Task.sleep(for: .milliseconds(300))
    #expect(looks.value == before)
    _ = FileManager.default.createFile(atPath: folder.path("a.sqlite-wal"), contents: Data([1]))
    try await eventually { looks.value > before }
    let ended = try #require(watch).ended
    watch = nil
    try await eventually { ended.value == 1 }
  }

  @Test func `what was found may be of an earlier write, so it is looked for more`() async throws {
    let folder = try HistoryFolder()
    let looks = Counter()
    let watch = FileWatch(folder.path("a.sqlite")) {
      looks.add()
      return looks.value == 1 ? .changed : .unchanged
    }
    #expect(watch != nil)
    // No file is written to: what woke it first may have been the write of what is not to be seen yet.
    try await eventually { looks.value >= 4 }
    withExtendedLifetime(watch) {}
  }

  @Test func `another file that is written to all the time does not put a look off`() async throws {
    let folder = try HistoryFolder()
    let looks = Counter()
    let watch = FileWatch(folder.path("a.sqlite")) {
      looks.add()
      return .unchanged
    }
    let path = folder.path("b.log")
    let writing = Task.detached {
      while !Task.isCancelled {
        _ = FileManager.default.createFile(atPath: path, contents: Data([1]))
      }
    }
    defer { writing.cancel() }
    try await eventually { looks.value >= 8 }
    withExtendedLifetime(watch) {}
  }

  @Test func `a store that goes ends its watching thread`() async throws {
    let folder = try HistoryFolder()
    var store: Store? = try HistorySamples.store(at: .file(folder.path("fleet.sqlite")))
    store?.watchOtherProcesses()
    let ended = try #require(store?.watch.withLock { $0?.ended })
    #expect(ended.value == 0)
    weak let weakStore = store
    store = nil
    #expect(weakStore == nil)
    try await eventually { ended.value == 1 }
  }

  private func eventually(_ condition: () -> Bool) async throws {
    for _ in 0..<500 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
    #expect(condition())
  }
}

final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}
