import Foundation
import ObjectStore

extension ModelContext {
  /// The transactions that a descriptor asks for, in all of the container's stores.
  ///
  /// Throws `historyTokenExpired` where the predicate compares with a token behind which history is not kept
  /// any more, as far as that can be told: use `fetchHistory(after:)` for that.
  public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]
  {
    guard let all = try transactions(after: nil) as? [T] else { throw Self.foreignHistory(T.self) }
    var found = try all.filter { try descriptor.predicate?.evaluate($0) ?? true }
    if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
    let limit = Int(clamping: descriptor.fetchLimit)
    return limit == 0 ? found : Array(found.prefix(limit))
  }

  /// The transactions behind a token, in all of the container's stores.
  ///
  /// Throws `historyTokenExpired` where some of them are not kept any more.
  public func fetchHistory(
    after token: DefaultHistoryToken
  ) throws -> [DefaultHistoryTransaction] {
    try transactions(after: token)
  }

  /// Drops transactions: the oldest ones, up to the first that the descriptor does not ask for.
  ///
  /// History has no holes, or nobody could read on from a token.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    guard T.self == DefaultHistoryTransaction.self else { throw Self.foreignHistory(T.self) }
    for store in core.stores.stores {
      guard let all = try transactions(of: store, after: nil) as? [T] else { continue }
      let doomed = try all.prefix { try descriptor.predicate?.evaluate($0) ?? true }
      guard let last = doomed.last as? DefaultHistoryTransaction,
        let place = last.token.place(in: store)
      else { continue }
      try store.purgeHistory(before: .token(place))
    }
  }

  private func transactions(
    after token: DefaultHistoryToken?
  ) throws -> [DefaultHistoryTransaction] {
    try core.stores.stores.flatMap { try transactions(of: $0, after: token) }
  }

  private func transactions(
    of store: Store, after token: DefaultHistoryToken?
  ) throws -> [DefaultHistoryTransaction] {
    let place = token?.place(in: store)
    return try store.history(HistoryRequest(after: place.map { .token($0) })).map {
      DefaultHistoryTransaction($0, core.schema.plans)
    }
  }

  private static func foreignHistory<T>(_ type: T.Type) -> SwiftDataError {
    SwiftDataError(
      SwiftDataError.invalidTransactionFetchRequest.code, "\(type)",
      "is not what this container's stores have for transactions",
      fix: "ask for DefaultHistoryTransaction")
  }
}
