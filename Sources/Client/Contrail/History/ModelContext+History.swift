import Foundation
import ObjectStore
import PredicateSQL

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
    let limit = Int(clamping: descriptor.fetchLimit)
    let order = Self.order(descriptor.sortBy)
    var provided: [T]?
    var stores = core.stores.stores
    for bridge in core.bridges {
      guard let found = try bridge.taking({ try bridge.foreign.history(descriptor) }) else {
        continue
      }
      provided = (provided ?? []) + found
      stores.removeAll { $0 === bridge.store }
    }
    let isOurs = T.self == DefaultHistoryTransaction.self
    if !isOurs && provided == nil { throw Self.foreignHistory(T.self) }
    let some = try (isOurs ? stores : []).flatMap { store in
      var request = narrowing.request(store)
      if let order { request.order = order }
      if order != nil && limit > 0 && descriptor.predicate == nil { request.limit = limit }
      return try transactions(of: store, request)
    }
    let asked = try AskedTransactions(descriptor)
    var found = try (some.compactMap { $0 as? T } + (provided ?? [])).filter(asked.has)
    if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
    return limit == 0 ? found : Array(found.prefix(limit))
  }

  /// The transactions behind a token, in all of the container's stores.
  ///
  /// Throws `historyTokenExpired` where some of them are not kept any more.
  public func fetchHistory(
    after token: DefaultHistoryToken
  ) throws -> [DefaultHistoryTransaction] {
    try core.stores.stores.flatMap { store -> [DefaultHistoryTransaction] in
      let place = token.place(in: store)
      if place == nil, let bridge = core.bridges.first(where: { $0.store === store }),
        let own = try history(of: bridge, after: token)
      {
        return own
      }
      return try transactions(of: store, HistoryRequest(after: place.map { .token($0) }))
    }
  }

  /// The transactions of one of our stores within one that somebody else wrote; nil where that has none.
  private func history(
    of bridge: ForeignBridge, after token: DefaultHistoryToken
  ) throws -> [DefaultHistoryTransaction]? {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if token.tokenValue?[bridge.identifier] != nil {
      descriptor.predicate = #Predicate { $0.token > token }
    }
    return try bridge.taking { try bridge.foreign.history(descriptor) }
  }

  /// Drops transactions of each store: the oldest ones, up to the first that the descriptor does not ask for,
  /// and no more than its limit; its order does not count.
  ///
  /// History has no holes, or nobody could read on from a token.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    var stores = core.stores.stores
    var isProvided = false
    for bridge in core.bridges
    where try bridge.taking({ try bridge.foreign.deleteHistory(descriptor) }) {
      isProvided = true
      stores.removeAll { $0 === bridge.store }
    }
    guard T.self == DefaultHistoryTransaction.self else {
      if isProvided { return }
      throw Self.foreignHistory(T.self)
    }
    for store in stores {
      if let place = try lastDoomed(in: store, descriptor) {
        try store.purgeHistory(before: .token(place))
      }
    }
  }

  /// How many transactions are looked at together.
  private static let pageSize = 256

  /// The place behind the transactions from the oldest on that a predicate is true of.
  private func lastDoomed<T: HistoryTransaction>(
    in store: Store, _ descriptor: HistoryDescriptor<T>
  ) throws -> ObjectStore.HistoryToken? {
    let limit = Int(clamping: descriptor.fetchLimit)
    if descriptor.predicate == nil && limit == 0 { return try store.historyToken() }
    var request = HistoryRequest()
    request.limit = Self.pageSize
    let meant = try AskedTransactions(descriptor)
    var last: ObjectStore.HistoryToken?
    var count = 0
    while true {
      let page = try transactions(of: store, request)
      for transaction in page {
        guard let asked = transaction as? T, limit == 0 || count < limit,
          try meant.has(asked)
        else { return last }
        last = transaction.token.place(in: store)
        count += 1
      }
      guard page.count == Self.pageSize, let last else { return last }
      request.after = .token(last)
    }
  }

  /// The order of a store's transactions that is the one asked for; nil where it is none of theirs.
  private static func order<T: HistoryTransaction>(
    _ sorts: [SortDescriptor<T>]
  ) -> HistoryRequest.Order? {
    guard let first = sorts.first else { return .oldestFirst }
    let path = (first as? SortDescriptor<DefaultHistoryTransaction>)?.keyPath
    guard path == \DefaultHistoryTransaction.transactionIdentifier else { return nil }
    return first.order == .forward ? .oldestFirst : .newestFirst
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

/// The transactions that a descriptor's predicate is true of; an error where Swift would trap.
private struct AskedTransactions<T: HistoryTransaction> {
  private let predicate: CheckedPredicate<T>?

  init(_ descriptor: HistoryDescriptor<T>) throws {
    predicate = try Self.told { try descriptor.predicate.map { try CheckedPredicate($0) } }
  }

  func has(_ transaction: T) throws -> Bool {
    guard let predicate else { return true }
    let asked = (transaction as? DefaultHistoryTransaction)?.asked as? T
    return try Self.told { try predicate.isTrue(of: asked ?? transaction) }
  }

  private static func told<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let problem as QueryProblem {
      throw StoreError(problem, "history")
    }
  }
}
