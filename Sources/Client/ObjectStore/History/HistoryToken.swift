public import FoundationEssentials

/// A place in a store's history: behind one of its transactions, or before the first.
///
/// It may be kept in a file and used later, by another process too. Tokens of one store are ordered as
/// its transactions are; those of different stores by the store's identity first, which means nothing.
///
/// ```swift
/// let token = try store.historyToken()
/// // … later
/// let news = try store.history(HistoryRequest(after: .token(token)))
/// ```
public struct HistoryToken: Hashable, Sendable {
  /// The store whose history it is.
  public let store: UUID
  /// The number of the transaction that it stands behind; 0 before the first.
  public let transaction: Int64

  /// The place behind the transaction with that number; 0 is before the first.
  public init(store: UUID, transaction: Int64) {
    self.store = store
    self.transaction = transaction
  }
}

extension HistoryToken: Comparable {
  /// Orders tokens of one store by their place in history.
  public static func < (left: HistoryToken, right: HistoryToken) -> Bool {
    left.store == right.store
      ? left.transaction < right.transaction : left.store.uuidString < right.store.uuidString
  }
}

extension HistoryToken: LosslessStringConvertible {
  /// The token as tools show it and take it, `STORE:NUMBER`.
  public var description: String { "\(store.uuidString):\(transaction)" }

  /// Reads what `description` wrote; nil for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let store = UUID(uuidString: String(parts[0])),
      let transaction = Int64(parts[1]), transaction >= 0
    else { return nil }
    self.init(store: store, transaction: transaction)
  }
}

extension HistoryToken: Codable {
  /// Reads the token's text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let token = HistoryToken(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "no token of a store's history: \(text)")
    }
    self = token
  }

  /// Writes the token's text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
