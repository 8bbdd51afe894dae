import Foundation
import ObjectStore

extension ModelContext {
  /// The transactions that a descriptor asks for, in all of the container's stores.
  ///
  /// Throws `historyTokenExpired` where the predicate asks for what is behind a token, and history is not
  /// kept from there on any more.
  public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]
  {
    // What the stores can tell apart by themselves is not even read.
    let narrowing = HistoryNarrowing(
      (descriptor as? HistoryDescriptor<DefaultHistoryTransaction>)?.predicate)
    let some = try core.stores.stores.flatMap {
      try transactions(of: $0, narrowing.request($0))
    }
    guard let some = some as? [T] else { throw Self.foreignHistory(T.self) }
    var found = try some.filter { try descriptor.predicate?.evaluate($0) ?? true }
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
    try core.stores.stores.flatMap { store in
      let place = token.place(in: store)
      return try transactions(of: store, HistoryRequest(after: place.map { .token($0) }))
    }
  }

  /// Drops transactions: the oldest ones, up to the first that the descriptor does not ask for.
  ///
  /// History has no holes, or nobody could read on from a token.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    guard T.self == DefaultHistoryTransaction.self else { throw Self.foreignHistory(T.self) }
    for store in core.stores.stores {
      guard let all = try transactions(of: store, HistoryRequest()) as? [T] else { continue }
      let doomed = try all.prefix { try descriptor.predicate?.evaluate($0) ?? true }
      guard let last = doomed.last as? DefaultHistoryTransaction,
        let place = last.token.place(in: store)
      else { continue }
      try store.purgeHistory(before: .token(place))
    }
  }

  private func transactions(
    of store: Store, _ request: HistoryRequest
  ) throws -> [DefaultHistoryTransaction] {
    try store.history(request).map { DefaultHistoryTransaction($0, core.schema.plans) }
  }

  private static func foreignHistory<T>(_ type: T.Type) -> SwiftDataError {
    SwiftDataError(
      SwiftDataError.invalidTransactionFetchRequest.code, "\(type)",
      "is not what this container's stores have for transactions",
      fix: "ask for DefaultHistoryTransaction")
  }
}
