import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct HistoryPageTests {
  @Test func `pages hold no more changes than asked for, and together all of them`() throws {
    let store = try HistorySamples.store()
    let context = ModelContext(store)
    let owners = try context.add("Owner", 7)
    try context.add("Car", 2)
    for owner in owners { try owner.setValue("name", .string("x")) }
    try context.save()
    try context.delete(owners[0])
    try context.save()
    let whole = try store.history()
    for order in [HistoryRequest.Order.oldestFirst, .newestFirst] {
      for changesMax in 1...20 {
        var request = HistoryRequest()
        request.order = order
        var pages: [[HistoryTransaction]] = []
        try store.forEachHistoryPage(request, changesMax: changesMax) { pages.append($0) }
        for page in pages {
          #expect(page.flatMap(\.changes).count <= changesMax)
          #expect(page.dropLast().allSatisfy { !$0.isContinued })
        }
        var joined: [HistoryTransaction] = []
        var isContinued = false
        for part in pages.joined() {
          if isContinued, let last = joined.popLast() {
            #expect(last.number == part.number)
            joined.append(part)
            joined[joined.count - 1].changes = last.changes + part.changes
          } else {
            joined.append(part)
          }
          isContinued = part.isContinued
        }
        #expect(joined == (order == .oldestFirst ? whole : whole.reversed()))
      }
    }
  }

  @Test func `the limit counts transactions, and parts of one are one`() throws {
    let store = try HistorySamples.store()
    let context = ModelContext(store)
    for _ in 0..<3 { try context.add("Owner", 5) }
    var request = HistoryRequest()
    request.limit = 2
    var lines: [String] = []
    try store.forEachHistoryPage(request, changesMax: 3) { lines += $0.map(\.line) }
    #expect(
      lines == [
        "1 -: #1 +Owner 1, #2 +Owner 2, #3 +Owner 3 …", "1 -: #4 +Owner 4, #5 +Owner 5",
        "2 -: #6 +Owner 6 …", "2 -: #7 +Owner 7, #8 +Owner 8, #9 +Owner 9 …", "2 -: #10 +Owner 10",
      ])
  }

  @Test func `what is committed while pages are read is not part of them`() throws {
    let store = try HistorySamples.store()
    let context = ModelContext(store)
    for _ in 0..<4 { try context.add("Owner") }
    var numbers: [Int64] = []
    try store.forEachHistoryPage(changesMax: 1) { page in
      numbers += page.map(\.number)
      try context.add("Owner")
    }
    #expect(numbers == [1, 2, 3, 4])
  }

  @Test func `reading stops with an error where the rest was purged meanwhile`() throws {
    for order in [HistoryRequest.Order.oldestFirst, .newestFirst] {
      let store = try HistorySamples.store()
      let context = ModelContext(store)
      for _ in 0..<6 { try context.add("Owner") }
      var request = HistoryRequest()
      request.order = order
      var numbers: [Int64] = []
      let error = storeError {
        try store.forEachHistoryPage(request, changesMax: 1) { page in
          numbers += page.map(\.number)
          if numbers.count == 2 { try store.purgeHistory(before: .transaction(5)) }
        }
      }
      #expect(numbers == (order == .oldestFirst ? [1, 2] : [6, 5]))
      #expect(error?.code == .historyExpired)
    }
  }

  @Test func `a large run is read in pages of bounded size`() throws {
    let store = try HistorySamples.store()
    try store.write { transaction in
      let owner = try #require(store.layout.entity("Owner"))
      try transaction.log.inserted(owner.number, 1, count: 100_000)
    }
    var pages = 0
    var next: Int64 = 1
    try store.forEachHistoryPage(changesMax: 999) { page in
      pages += 1
      for change in page.flatMap(\.changes) {
        #expect(change.number == next && change.key == next)
        next += 1
      }
    }
    #expect(next == 100_001)
    #expect(pages == 101)
  }
}
