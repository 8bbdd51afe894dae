import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct HistoryTokenTests {
  private let store = UUID(
    uuid: (0x0C, 0x0A, 0xEA, 0x6E, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))

  @Test func `a token is text, and text is a token`() throws {
    let token = HistoryToken(store: store, transaction: 42)
    #expect(token.description == "0C0AEA6E-0000-4000-8000-000000000001:42")
    #expect(HistoryToken(token.description) == token)
    for text in ["", "x:1", "\(store):", "\(store):-1", "\(store):1:2", "\(store)"] {
      #expect(HistoryToken(text) == nil, "\(text)")
    }
  }

  @Test func `a token is kept as text by coders`() throws {
    let tokens = [HistoryToken(store: store, transaction: 7)]
    let data = try JSONEncoder().encode(tokens)
    #expect(String(decoding: data, as: UTF8.self) == #"["\#(store.uuidString):7"]"#)
    #expect(try JSONDecoder().decode([HistoryToken].self, from: data) == tokens)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([HistoryToken].self, from: Data(#"["7"]"#.utf8))
    }
  }

  @Test func `tokens are ordered as transactions are`() {
    let tokens = [3, 1, 2].map { HistoryToken(store: store, transaction: $0) }
    #expect(tokens.sorted().map(\.transaction) == [1, 2, 3])
  }

  @Test func `the token of another store, and one ahead of the store, are refused`() throws {
    let store = try HistorySamples.store()
    try ModelContext(store).add("Owner")
    #expect(try store.historyToken().transaction == 1)
    let other = HistoryToken(store: self.store, transaction: 1)
    let ahead = HistoryToken(store: store.identifier, transaction: 2)
    for token in [other, ahead] {
      for request in [HistoryRequest(after: .token(token)), HistoryRequest(before: .token(token))] {
        #expect(storeError { _ = try store.history(request) }?.code == .invalidToken)
      }
      #expect(storeError { try store.purgeHistory(before: .token(token)) }?.code == .invalidToken)
      #expect(storeError { try store.registerReader("r", at: token) }?.code == .invalidToken)
    }
    #expect(try store.history(HistoryRequest(after: .token(store.historyToken()))).isEmpty)
  }
}
